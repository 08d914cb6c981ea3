package roll.shell;

import java.util.List;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.model.ModelInspector;
import roll.shell.Syntax.Option;
import roll.shell.Syntax.Word;

/** {@code model}: what a model folder holds and what memory it needs, without computing. */
@Component(name = "roll.shell.model", service = ModelCommand.class)
@RollCommand(function = "model", description = ModelCommand.SUMMARY)
public final class ModelCommand {
  static final String SUMMARY = "Shows what a model folder holds and needs: model show <folder>.";
  private static final int MOST_RANK = 1 << 16;
  private static final Syntax SYNTAX =
      new Syntax(
          "model",
          SUMMARY,
          List.of(
              Word.one("show", "shapes, number formats, memory for inference and training"),
              Word.one("folder", "a model in Hugging Face's layout, or a checkpoint of a run")),
          List.of(
              Option.one("--lora-rank", "r", "8", "the rank to tell LoRA's memory for"),
              Option.flag("--json", "print a line of JSON, memory in bytes")));

  private final ModelInspector inspector;

  /** A command on what {@code inspector} can open. */
  @Activate
  public ModelCommand(@Reference ModelInspector inspector) {
    this.inspector = inspector;
  }

  /** The page, or a line of JSON. */
  @Descriptor(SUMMARY)
  public String model(
      CommandSession session, @Descriptor("show <folder> [option …]") String... arguments) {
    Arguments given = SYNTAX.read(arguments);
    if (given.help()) {
      return SYNTAX.help();
    }
    if (!given.word(0).equals("show")) {
      throw SYNTAX.wrong("expected show, found '" + given.word(0) + "'");
    }
    int rank = (int) given.integer("--lora-rank", 1, MOST_RANK);
    ModelPage page = new ModelPage(inspector.inspect(Place.of(session, given.word(1))), rank);
    return given.flag("--json") ? Json.line(page.fields()) : page.text();
  }
}
