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
import roll.api.env.Step;
import roll.runtime.option.YamlOptions;

/** jsoup, which reads its tables of entities as resources, works inside the bundle that has it. */
@Tag("framework")
@Timeout(60)
class ClickAndReadTest {
  @Test
  void anExpertClicksAndAnswers() throws InvalidSyntaxException {
    BundleContext context = Plugins.context();
    Collection<ServiceReference<Environment>> found =
        context.getServiceReferences(Environment.class, "(roll.env=click_and_read)");
    assertEquals(1, found.size());
    ServiceReference<Environment> reference = found.iterator().next();
    Environment sites = context.getService(reference);
    assertNotNull(sites);
    try (Episode episode =
        sites.configure(YamlOptions.checked("env_config", Map.of(), sites.options())).reset(1)) {
      Step step = null;
      while (step == null || !step.done()) {
        step = episode.step(episode.respond(episode.expert().orElseThrow()));
      }
      // two clicks and the answer
      assertEquals(0.7, step.reward(), 1e-12);
    } finally {
      context.ungetService(reference);
    }
  }
}
