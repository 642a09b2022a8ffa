// Starts Solr inside this JVM, then Atlas. Groovy comes with Atlas's own war, so no Java compiler is needed.
// Arguments: process to live as long as, port of Solr, folder of its cores, folder of the core template, then the
// arguments of Atlas.

import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.Paths
import org.apache.commons.io.FileUtils
import org.apache.solr.client.solrj.embedded.JettyConfig
import org.apache.solr.client.solrj.embedded.JettySolrRunner

long owner = args[0] as long
int port = args[1] as int
Path home = Paths.get(args[2])
File template = new File(args[3])

// Whoever started the tests may be killed; no server may outlive that.
Thread.startDaemon {
    while (ProcessHandle.of(owner).isPresent()) sleep(2000)
    Runtime.runtime.halt(1)
}

Files.createDirectories(home)
Path settings = home.resolve('solr.xml')
if (!Files.exists(settings)) settings.toFile().text = '<solr></solr>'
['vertex_index', 'edge_index', 'fulltext_index'].each { name ->
    Path core = home.resolve(name)
    if (!Files.exists(core.resolve('core.properties'))) {
        FileUtils.copyDirectory(template, core.resolve('conf').toFile())
        core.resolve('core.properties').toFile().text = "name=${name}\n"
    }
}

def runner = new JettySolrRunner(home.toString(), JettyConfig.builder().setPort(port).setContext('/solr').build())
def field = JettySolrRunner.getDeclaredField('server')
field.accessible = true
field.get(runner).connectors.each { it.host = '127.0.0.1' }
runner.start()
addShutdownHook { runner.stop() }

org.apache.atlas.Atlas.main(args[4..-1] as String[])
