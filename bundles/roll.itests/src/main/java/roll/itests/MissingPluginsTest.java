package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Properties;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.osgi.framework.Bundle;

/** The distribution's list of missing plugins names every plugin. */
@Tag("framework")
class MissingPluginsTest {
  @Test
  void everyPluginIsListedWithItsBundle() throws IOException {
    TreeMap<Object, Object> offered = new TreeMap<>();
    Plugins.all()
        .forEach(
            plugin ->
                Plugins.offers(plugin)
                    .forEach(
                        offer ->
                            offered.put(
                                offer.kind() + "/" + offer.name(), plugin.getSymbolicName())));
    assertEquals(offered, new TreeMap<>(listed()));
  }

  private static Properties listed() throws IOException {
    Bundle core =
        Plugins.bundles()
            .filter(bundle -> bundle.getSymbolicName().equals("roll.core"))
            .findFirst()
            .orElseThrow();
    URL list = core.getEntry("roll/core/bundles.properties");
    assertNotNull(list);
    Properties listed = new Properties();
    try (InputStream in = list.openStream()) {
      listed.load(in);
    }
    return listed;
  }
}
