package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceReference;
import roll.api.plugin.Lease;
import roll.api.plugin.Plugins;
import roll.runtime.pipeline.Trainer;
import roll.runtime.pipeline.TrainingRun;
import roll.runtime.pipeline.TrainingRun.Outcome;

/**
 * Lifetimes of services: a plugin's state persists between leases, and a run outlives the command
 * that started it, although SCR deactivates unused components.
 */
@Tag("framework")
@Timeout(240)
class ServiceLifetimeTest {
  /** A plugin released by a step keeps its state for the next step. */
  @TestFactory
  Stream<DynamicTest> aPluginRemembersFromLeaseToLease() {
    return roll.itests.Plugins.all()
        .flatMap(bundle -> roll.itests.Plugins.offers(bundle).stream())
        .map(offer -> DynamicTest.dynamicTest(offer.toString(), () -> leaseTwice(offer)));
  }

  private static void leaseTwice(ProvidedPlugin offer) throws Exception {
    Object first = lease(offer);
    assertSame(first, lease(offer));
  }

  /** A plugin loses its state when its bundle is replaced. */
  @Test
  void aPluginForgetsWithItsBundle() throws Exception {
    ProvidedPlugin search = new ProvidedPlugin("roll.tool", "search");
    Object first = lease(search);
    Bundle bundle = BundleContent.bundle("roll.tool.search");
    bundle.stop();
    bundle.start();
    assertNotSame(first, lease(search));
  }

  private static Object lease(ProvidedPlugin offer) throws Exception {
    Plugins plugins = SmallRuns.service(Plugins.class);
    ServiceReference<?> service =
        roll.itests.Plugins.context().getAllServiceReferences(null, offer.filter().toString())[0];
    String type = ((String[]) service.getProperty(Constants.OBJECTCLASS))[0];
    Class<?> contract = service.getBundle().loadClass(type);
    try (Lease<?> lease = plugins.lease(contract, offer.kind(), offer.name())) {
      assertNotNull(lease, offer.toString());
      return lease.service();
    }
  }

  /** A background run continues after {@code train --background} has released the trainer. */
  @Test
  void aRunOutlivesTheUseOfTheTrainer(@TempDir Path folder) throws Exception {
    Bundle health = BundleContent.bundle("roll.health");
    Bundle core = BundleContent.bundle("roll.core");
    health.stop(); // it uses the trainer too
    core.stop(); // and with it all other uses of its services
    core.start();
    try {
      BundleContext context = roll.itests.Plugins.context();
      ServiceReference<Trainer> trainer = context.getServiceReference(Trainer.class);
      TrainingRun run =
          context
              .getService(trainer)
              .start(SmallRuns.load("frozen_lake.yaml", folder, List.of("max_steps=3")));
      context.ungetService(trainer);
      Outcome outcome = run.outcome().get();
      assertEquals(3, outcome.steps());
      assertFalse(outcome.interrupted());
      assertTrue(CommandsTest.run("roll:runs").contains("3/3"), "it is listed");
    } finally {
      health.start();
    }
  }
}
