package roll.itests;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Converter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.osgi.framework.Bundle;
import org.osgi.framework.ServiceReference;

/** Commands, called as the shell calls them. */
@Timeout(60)
class CommandsTest {
  @Test
  void servicesNamesEveryPlugin() throws Exception {
    String listed = run("roll:services");
    for (Bundle plugin : Plugins.all().toList()) {
      for (Offer offer : Plugins.offers(plugin)) {
        assertTrue(listed.contains(offer.name()), () -> offer + " is missing in\n" + listed);
      }
    }
  }

  /** What the program prints, and its result as the shell would print it. */
  private static String run(String program) throws Exception {
    ServiceReference<CommandProcessor> reference =
        Plugins.context().getServiceReference(CommandProcessor.class);
    CommandProcessor processor = Plugins.context().getService(reference);
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    try (CommandSession session =
        processor.createSession(InputStream.nullInputStream(), out, out)) {
      Object result = session.execute(program);
      if (result != null) {
        out.println(session.format(result, Converter.INSPECT));
      }
      return printed.toString(StandardCharsets.UTF_8);
    } finally {
      Plugins.context().ungetService(reference);
    }
  }
}
