package roll.cas;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import org.apache.felix.framework.FrameworkFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.matheclipse.core.eval.EvalEngine;
import org.osgi.framework.Bundle;
import org.osgi.framework.launch.Framework;

/**
 * The bundle in a framework that has nothing else but SLF4J: all of Symja's classes come from it.
 */
@Tag("framework")
class FrameworkTest {
  @Test
  void symjaRunsInsideTheBundle(@TempDir Path cache) throws Exception {
    Framework framework =
        new FrameworkFactory()
            .newFramework(
                Map.of(
                    "org.osgi.framework.storage",
                    cache.toString(),
                    "org.osgi.framework.system.packages.extra",
                    "org.slf4j;version=2.0.17,org.slf4j.spi;version=2.0.17"));
    framework.init();
    framework.start();
    try {
      Bundle bundle = framework.getBundleContext().installBundle("reference:" + classes());
      bundle.start();
      Class<?> inside = bundle.loadClass(SymbolicEvaluator.class.getName());
      assertNotSame(SymbolicEvaluator.class, inside);
      Object algebra =
          inside
              .getConstructor(String.class, Duration.class)
              .newInstance("t", Duration.ofMinutes(1));
      Class<?> engine = bundle.loadClass(EvalEngine.class.getName());
      Function<Object, String> task =
          each -> {
            try {
              return String.valueOf(
                  engine
                      .getMethod("evaluate", String.class)
                      .invoke(
                          each, "Simplify(Sin(x)^2+Cos(x)^2+Log(8)/Log(2)+Integrate(x,x)-x^2/2)"));
            } catch (ReflectiveOperationException e) {
              throw new IllegalStateException(e);
            }
          };
      assertEquals("4", inside.getMethod("call", Function.class).invoke(algebra, task));
    } finally {
      framework.stop();
      framework.waitForStop(10_000);
    }
  }

  private static String classes() throws URISyntaxException {
    return SymbolicEvaluator.class
        .getProtectionDomain()
        .getCodeSource()
        .getLocation()
        .toURI()
        .toString();
  }
}
