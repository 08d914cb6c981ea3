package roll.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.apache.felix.service.command.CommandSession;
import org.junit.jupiter.api.Test;
import roll.api.option.UserException;

/** Unknown commands in a session whose profile says who answers. */
class UnknownCommandTest {
  private static String said(String line) throws Exception {
    UnknownCommand unknown = new UnknownCommand();
    try (Gogo gogo = new Gogo(new Trains(), "train")) {
      CommandSession session = gogo.session();
      session.put("default", unknown);
      String said = assertThrows(UserException.class, () -> session.execute(line)).toString();
      assertEquals(127, session.get("exit"));
      return said;
    }
  }

  @Test
  void theNearestCommandIsNamed() throws Exception {
    assertEquals("roll: unknown command 'trian'; did you mean 'train'?", said("trian a.yaml x=1"));
    assertEquals("roll: unknown command 'trian'; did you mean 'train'?", said("roll:trian"));
    assertEquals("roll: unknown command 'fly'; `help` lists the commands", said("fly --away"));
  }

  @Test
  void aMistakeInACommandStaysItsOwn() throws Exception {
    try (Gogo gogo = new Gogo(new Trains(), "train")) {
      gogo.session().put("default", new UnknownCommand());
      assertEquals("trained [a]", gogo.run("train a"));
    }
  }

  /** A command. */
  public static final class Trains {
    /** Trains. */
    public String train(String... words) {
      return "trained " + List.of(words);
    }
  }
}
