package roll.shell.model;

import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.decoder.ModelInspector;
import roll.decoder.ModelMerger;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Option;
import roll.shell.command.Syntax.Word;
import roll.shell.syntax.RequiredService;
import roll.shell.syntax.UserPath;
import roll.shell.terminal.Json;

/**
 * {@code model}: what a model folder holds and what memory it needs, without computing; and a model
 * of adapters and theirs.
 */
@Component(name = "roll.shell.model", service = Command.class)
@RollCommand(function = "model")
public final class ModelCommand extends Command {
  private static final int MOST_RANK = 1 << 16;

  /** How it is called. */
  static final Syntax SYNTAX =
      new Syntax(
          "model",
          "Shows what a model folder holds and needs, or merges adapters into their model.",
          List.of(
              Word.one(
                  "show|merge",
                  "show shapes, number formats and memory, or write LoRA adapters and their model"
                      + " as one model"),
              Word.one(
                  "folder",
                  "a model in Hugging Face's layout, adapters in PEFT's, or a checkpoint"),
              Word.optional("target", "folder to write the merged model into; must not exist")),
          List.of(
              Option.optional("--base", "folder", "the adapters' model, if not the one they name"),
              Option.one("--lora-rank", "r", "8", "the rank to estimate LoRA's memory for"),
              Option.flag("--json", "print one line of JSON, memory in bytes")));

  private final @Nullable ModelInspector inspector;
  private final @Nullable ModelMerger merger;
  private final long machine;

  /** A command on what {@code inspector} and {@code merger} can open. */
  @Activate
  public ModelCommand(
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable ModelInspector inspector,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable ModelMerger merger) {
    this(
        inspector,
        merger,
        ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
            .getTotalMemorySize());
  }

  /** The same on a machine with {@code machine} bytes of memory. */
  ModelCommand(@Nullable ModelInspector inspector, @Nullable ModelMerger merger, long machine) {
    super(SYNTAX);
    this.inspector = inspector;
    this.merger = merger;
    this.machine = machine;
  }

  /** The page, or a line of JSON; for a merge what was written. */
  @Override
  protected String run(CommandSession session, Arguments given) {
    Path folder = UserPath.of(session, given.word(1));
    String target = given.optional(2);
    return switch (given.word(0)) {
      case "show" -> {
        if (target != null) {
          throw SYNTAX.wrong("unexpected '" + target + "' after show " + given.word(1));
        }
        yield show(given, folder);
      }
      case "merge" -> {
        if (target == null) {
          throw SYNTAX.wrong("merge needs a <target>");
        }
        String base = given.optional("--base");
        RequiredService.of(merger, "model", "roll.torch")
            .merge(
                folder,
                base == null ? null : UserPath.of(session, base),
                UserPath.of(session, target));
        yield "wrote " + target;
      }
      default -> throw SYNTAX.wrong("expected show or merge, found '" + given.word(0) + "'");
    };
  }

  private String show(Arguments given, Path folder) {
    int rank = (int) given.integer("--lora-rank", 1, MOST_RANK);
    ModelPage page =
        new ModelPage(
            RequiredService.of(inspector, "model", "roll.torch").inspect(folder), rank, machine);
    return given.flag("--json") ? Json.line(page.fields()) : page.text();
  }
}
