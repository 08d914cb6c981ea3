package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.util.tracker.ServiceTracker;

/** Bundles start, and a plugin's services are registered and removed with it. */
@Tag("framework")
@Timeout(60)
class LifecycleTest {
  @Test
  void everyBundleIsActive() {
    List<String> idle =
        Plugins.bundles()
            .filter(bundle -> bundle.getHeaders().get(Constants.FRAGMENT_HOST) == null)
            .filter(bundle -> bundle.getState() != Bundle.ACTIVE)
            .filter(bundle -> bundle.getState() != Bundle.STARTING)
            .map(bundle -> bundle.getSymbolicName() + " in state " + bundle.getState())
            .toList();
    assertEquals(List.of(), idle);
  }

  @Test
  void everyKindOfPluginIsThere() {
    List<String> kinds =
        Plugins.all()
            .flatMap(plugin -> Plugins.offers(plugin).stream())
            .map(ProvidedPlugin::kind)
            .distinct()
            .sorted()
            .toList();
    assertEquals(
        List.of(
            "roll.agent",
            "roll.agent.type",
            "roll.curriculum",
            "roll.env",
            "roll.estimator",
            "roll.grader",
            "roll.loss",
            "roll.model",
            "roll.preference",
            "roll.reward",
            "roll.sandbox",
            "roll.strategy",
            "roll.tool",
            "roll.tracker",
            "roll.worker",
            "roll.workspace"),
        kinds);
  }

  @TestFactory
  Stream<DynamicTest> servicesComeAndGoWithTheirBundle() {
    return Plugins.all()
        .map(plugin -> DynamicTest.dynamicTest(plugin.getSymbolicName(), () -> cycle(plugin)));
  }

  private static void cycle(Bundle plugin)
      throws BundleException, InvalidSyntaxException, InterruptedException {
    List<ProvidedPlugin> offers = Plugins.offers(plugin);
    assertFalse(offers.isEmpty(), "declares no capability");
    for (ProvidedPlugin offer : offers) {
      assertEquals(1, offer.services(plugin), offer + " before");
    }
    plugin.stop();
    try {
      for (ProvidedPlugin offer : offers) {
        assertEquals(0, offer.services(plugin), offer + " while stopped");
      }
    } finally {
      plugin.start();
    }
    for (ProvidedPlugin offer : offers) {
      assertNotEquals(0, arrived(offer), offer + " after");
      assertEquals(1, offer.services(plugin), offer + " after");
    }
  }

  /** Waits for the first service and returns the number of services. */
  private static int arrived(ProvidedPlugin offer)
      throws InvalidSyntaxException, InterruptedException {
    var tracker = new ServiceTracker<Object, Object>(Plugins.context(), offer.filter(), null);
    tracker.open(true);
    try {
      tracker.waitForService(10_000);
      return tracker.size();
    } finally {
      tracker.close();
    }
  }
}
