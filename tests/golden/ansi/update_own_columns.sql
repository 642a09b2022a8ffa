update stock set total = quantity * price, previous = total where quantity > 0
