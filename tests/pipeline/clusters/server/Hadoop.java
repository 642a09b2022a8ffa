import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;

/**
 * Hadoop on loopback.
 *
 * <pre>
 *   Hadoop master HOME        HDFS with one data node, and YARN's resource manager; writes HOME/conf
 *   Hadoop node HOME NAME     a node manager, which joins the resource manager of HOME/conf
 * </pre>
 *
 * A node manager is a process of its own, so that a test can kill it as a machine would die.
 */
public class Hadoop {
  public static void main(String[] arguments) throws Exception {
    Path home = Path.of(arguments[1]);
    if (arguments[0].equals("master")) {
      master(home);
    } else {
      node(home, arguments[2]);
    }
    Thread.sleep(Long.MAX_VALUE);
  }

  private static void master(Path home) throws Exception {
    Configuration settings = new YarnConfiguration();
    settings.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, home.resolve("hdfs").toString());
    settings.setBoolean("dfs.permissions.enabled", false);
    MiniDFSCluster hdfs = new MiniDFSCluster.Builder(settings).numDataNodes(1).format(true).build();
    hdfs.waitActive();

    // What clients and nodes need to know, and nothing of the mini cluster's own classes.
    Configuration shared = new Configuration(false);
    shared.set("fs.defaultFS", hdfs.getFileSystem().getUri().toString());
    shared.set("hadoop.tmp.dir", home.resolve("hadoop").toString());
    shared.set("yarn.resourcemanager.hostname", "127.0.0.1");
    for (String name : new String[] {"", "scheduler.", "resource-tracker.", "admin.", "webapp."}) {
      shared.set("yarn.resourcemanager." + name + "address", "127.0.0.1:" + freePort());
    }
    shared.set("yarn.scheduler.capacity.root.queues", "default");
    shared.set("yarn.scheduler.capacity.root.default.capacity", "100");
    shared.set("yarn.scheduler.capacity.maximum-am-resource-percent", "0.9");
    shared.setInt("yarn.scheduler.minimum-allocation-mb", 256);
    // A node that is killed is missed within seconds.
    shared.setInt("yarn.nm.liveness-monitor.expiry-interval-ms", 6000);
    shared.setInt("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", 250);
    YarnConfiguration ours = new YarnConfiguration(settings);
    shared.forEach(entry -> ours.set(entry.getKey(), entry.getValue()));
    ResourceManager manager = new ResourceManager();
    manager.init(ours);
    manager.start();
    Path conf = Files.createDirectories(home.resolve("conf"));
    for (String file : new String[] {"core-site.xml", "yarn-site.xml"}) {
      Path part = conf.resolve(file + ".part");
      try (OutputStream out = Files.newOutputStream(part)) {
        shared.writeXml(out);
      }
      Files.move(part, conf.resolve(file), StandardCopyOption.ATOMIC_MOVE);
    }
    System.out.println("READY " + shared.get("fs.defaultFS"));
  }

  private static void node(Path home, String name) throws Exception {
    YarnConfiguration settings = new YarnConfiguration();
    settings.addResource(new org.apache.hadoop.fs.Path(home.resolve("conf/yarn-site.xml").toUri()));
    Path own = Files.createDirectories(home.resolve(name));
    settings.set("yarn.nodemanager.hostname", "127.0.0.1");
    settings.set("yarn.nodemanager.address", "127.0.0.1:0");
    settings.set("yarn.nodemanager.localizer.address", "127.0.0.1:0");
    settings.set("yarn.nodemanager.webapp.address", "127.0.0.1:0");
    settings.set("yarn.nodemanager.local-dirs", own.resolve("local").toString());
    settings.set("yarn.nodemanager.log-dirs", own.resolve("logs").toString());
    settings.setInt("yarn.nodemanager.resource.memory-mb", 6144);
    settings.setInt("yarn.nodemanager.resource.cpu-vcores", 8);
    settings.setBoolean("yarn.nodemanager.vmem-check-enabled", false);
    settings.setBoolean("yarn.nodemanager.pmem-check-enabled", false);
    settings.setFloat("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", 99.5f);
    NodeManager manager = new NodeManager();
    manager.init(settings);
    manager.start();
    System.out.println("READY " + manager.getNMContext().getNodeId());
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
