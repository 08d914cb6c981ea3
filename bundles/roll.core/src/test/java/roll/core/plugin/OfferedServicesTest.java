package roll.core.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.felix.framework.FrameworkFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import org.osgi.framework.launch.Framework;
import roll.runtime.plugin.OfferedService;

/** Registered services and their bundles, in a real framework. */
@Tag("framework")
class OfferedServicesTest {
  @Test
  void whatIsRegisteredIsOfferedUntilItGoes(@TempDir Path storage) throws Exception {
    Framework framework =
        new FrameworkFactory()
            .newFramework(Map.of("org.osgi.framework.storage", storage.toString()));
    framework.start();
    BundleContext context = framework.getBundleContext();
    try {
      register(context, "roll.env", new String[] {"b", "c"});
      ServiceRegistration<Runnable> first = register(context, "roll.env", "a");
      register(context, "roll.loss", "ppo");
      List<OfferedService> found = new OfferedServices(context).of("roll.env");
      assertEquals(
          List.of(List.of("a"), List.of("b", "c")),
          found.stream().map(OfferedService::ids).toList());
      assertEquals(framework.getSymbolicName(), found.getFirst().bundle());
      assertEquals(framework.getVersion().toString(), found.getFirst().version());
      assertEquals("", found.getFirst().from());
      first.unregister();
      assertEquals(1, new OfferedServices(context).of("roll.env").size());
    } finally {
      framework.stop();
      framework.waitForStop(0);
    }
  }

  private static ServiceRegistration<Runnable> register(
      BundleContext context, String kind, Object id) {
    return context.registerService(
        Runnable.class, () -> {}, FrameworkUtil.asDictionary(Map.of(kind, id)));
  }
}
