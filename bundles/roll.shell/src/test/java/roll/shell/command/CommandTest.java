package roll.shell.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.apache.felix.service.command.CommandSession;
import org.junit.jupiter.api.Test;
import roll.api.option.UserException;
import roll.shell.Gogo;
import roll.shell.command.Syntax.Word;

/** The status that a command leaves in its session. */
class CommandTest {
  @Test
  void theShellKnowsTheStatusOfTheLastCommand() throws Exception {
    try (Gogo gogo = new Gogo(new Paint(), "paint")) {
      assertEquals("painted red", gogo.run("paint red"));
      assertEquals(0, gogo.session().get("exit"));
      assertThrows(UserException.class, () -> gogo.run("paint"));
      assertEquals(2, gogo.session().get("exit"));
      assertThrows(IllegalStateException.class, () -> gogo.run("paint dry"));
      assertEquals(1, gogo.session().get("exit"));
      assertThrows(IllegalStateException.class, () -> gogo.run("paint wet"));
      assertEquals(2, gogo.session().get("exit"));
      gogo.run("paint slow");
      assertEquals(130, gogo.session().get("exit"));
      gogo.run("paint --help");
      assertEquals(0, gogo.session().get("exit"));
    }
  }

  @Test
  void aProcessOfOneCommandTellsItItself() throws Exception {
    try (Gogo gogo = new Gogo(new Paint(), "paint")) {
      gogo.session().put("roll.once", true);
      gogo.run("paint red");
      assertNull(gogo.session().get("exit"));
    }
  }

  private static final class Paint extends Command {
    Paint() {
      super(new Syntax("paint", "Paints.", List.of(Word.one("color", "which")), List.of()));
    }

    @Override
    protected String run(CommandSession session, Arguments given) throws Exception {
      return switch (given.word(0)) {
        case "dry" -> throw new IllegalStateException("no paint");
        case "wet" -> throw new IllegalStateException(new UserException("paint: it rains"));
        case "slow" -> throw new InterruptedException();
        default -> "painted " + given.word(0);
      };
    }
  }
}
