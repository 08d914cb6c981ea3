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
 * {@code model}: shows what a model folder contains and how much memory it needs, without loading
 * it; and merges LoRA adapters into their model.
 */
@Component(name = "roll.shell.model", service = Command.class)
@RollCommand(function = "model")
public final class ModelCommand extends Command {
  private static final int MOST_RANK = 1 << 16;

  /** Arguments and options of the command {@code model}. */
  static final Syntax SYNTAX =
      new Syntax(
          "model",
          "Shows contents and memory of a model folder, or merges adapters into their model.",
          List.of(
              Word.one(
                  "show|merge",
                  "show shapes, number formats and memory, or merge LoRA adapters into their"
                      + " model"),
              Word.one(
                  "folder",
                  "a model in Hugging Face's layout, adapters in PEFT's, or a checkpoint"),
              Word.optional("target", "folder of the merged model; must not exist")),
          List.of(
              Option.optional(
                  "--base", "folder", "model of the adapters, if not the one they name"),
              Option.one("--lora-rank", "r", "8", "rank of the LoRA memory estimate"),
              Option.flag("--json", "print one line of JSON, memory in bytes")));

  private final @Nullable ModelInspector inspector;
  private final @Nullable ModelMerger merger;
  private final long machine;

  /** Creates the command with its services. */
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

  /** A command for a machine with {@code machine} bytes of memory. */
  ModelCommand(@Nullable ModelInspector inspector, @Nullable ModelMerger merger, long machine) {
    super(SYNTAX);
    this.inspector = inspector;
    this.merger = merger;
    this.machine = machine;
  }

  /** Returns the report, a line of JSON, or the folder that was written. */
  @Override
  protected String run(CommandSession session, Arguments given) {
    Path folder = UserPath.of(session, given.word(1));
    String target = given.optional(2);
    return switch (given.word(0)) {
      case "show" -> {
        given.atMost(2);
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
    ModelReport page =
        new ModelReport(
            RequiredService.of(inspector, "model", "roll.torch").inspect(folder), rank, machine);
    return given.flag("--json") ? Json.line(page.fields()) : page.text();
  }
}
