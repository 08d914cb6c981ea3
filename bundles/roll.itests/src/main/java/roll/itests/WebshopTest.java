package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.Collection;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.env.Step;
import roll.runtime.option.YamlOptions;

/** Lucene, which finds its codecs by ServiceLoader, works across bundles. */
@Tag("framework")
@Timeout(60)
class WebshopTest {
  @Test
  void anExpertSearchesAndBuys() throws InvalidSyntaxException {
    BundleContext context = Plugins.context();
    Collection<ServiceReference<Environment>> found =
        context.getServiceReferences(Environment.class, "(roll.env=webshop)");
    assertEquals(1, found.size());
    ServiceReference<Environment> reference = found.iterator().next();
    Environment webshop = context.getService(reference);
    assertNotNull(webshop);
    try {
      Scenario scenario =
          webshop.configure(YamlOptions.checked("env_config", Map.of(), webshop.options()));
      for (long seed = 0; seed < 20; seed++) {
        assertEquals(1, play(scenario.reset(seed)), "seed " + seed);
      }
    } finally {
      context.ungetService(reference);
    }
  }

  private static double play(Episode episode) {
    try (episode) {
      Step step = null;
      while (step == null || !step.done()) {
        step = episode.step(episode.respond(episode.expert().orElseThrow()));
      }
      return step.reward();
    }
  }
}
