package roll.shell.model;

import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.image.ImageGrid;
import roll.api.image.ImagePatches;
import roll.api.image.ImageProcessor;
import roll.api.image.ImageProcessorLoader;
import roll.api.image.ImageSize;
import roll.api.option.PlainFile;
import roll.api.option.UserException;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Option;
import roll.shell.command.Syntax.Word;
import roll.shell.syntax.RequiredService;
import roll.shell.syntax.UserPath;
import roll.shell.terminal.Json;
import roll.shell.terminal.Table;

/** {@code image}: prints how a model preprocesses a picture. */
@Component(name = "roll.shell.image", service = Command.class)
@RollCommand(function = "image")
public final class ImageCommand extends Command {
  /** Arguments and options of the command {@code image}. */
  static final Syntax SYNTAX =
      new Syntax(
          "image",
          "Prints size, patch grid and tokens of a picture for a model.",
          List.of(
              Word.one(
                  "folder",
                  "a model in Hugging Face's layout; only preprocessor_config.json is needed"),
              Word.one("picture", "JPEG, PNG, GIF or WebP file")),
          List.of(
              Option.optional("--values", "n", "also print the first n pixel values"),
              Option.flag("--json", "print it as one line of JSON")));

  private static final int MOST_VALUES = 1_000_000;

  private final @Nullable ImageProcessorLoader processors;

  /** Creates the command with {@code processors}. */
  @Activate
  public ImageCommand(
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY)
          @Nullable ImageProcessorLoader processors) {
    super(SYNTAX);
    this.processors = processors;
  }

  /** Returns a table, or a line of JSON. */
  @Override
  protected String run(CommandSession session, Arguments given) {
    Path folder = LocalInference.folder("image", session, given.word(0));
    ImageProcessor processor = RequiredService.of(processors, "image", "roll.image").load(folder);
    Path file = UserPath.of(session, given.word(1));
    ImagePatches patches = processor.process(file.toString(), bytes(file));
    int count = given.flag("--values") ? (int) given.integer("--values", 1, MOST_VALUES) : 0;
    float[] values = Arrays.copyOf(patches.values(), Math.min(count, patches.values().length));
    return given.flag("--json") ? json(patches, values) : table(patches, values);
  }

  private static byte[] bytes(Path file) {
    try {
      return PlainFile.bytes(file);
    } catch (IOException e) {
      throw new UserException("image: " + file + " cannot be read", e);
    }
  }

  private static String json(ImagePatches patches, float[] values) {
    ImageGrid grid = patches.grid();
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("width", patches.seen().width());
    line.put("height", patches.seen().height());
    line.put("grid_thw", List.of(grid.frames(), grid.rows(), grid.columns()));
    line.put("tokens", patches.tokens());
    line.put("picture_width", patches.picture().width());
    line.put("picture_height", patches.picture().height());
    if (values.length > 0) {
      line.put("values", values);
    }
    return Json.line(line);
  }

  private static String table(ImagePatches patches, float[] values) {
    ImageGrid grid = patches.grid();
    Table table = new Table();
    table.row("picture", size(patches.picture()));
    table.row("resized to", size(patches.seen()));
    table.row(
        "patches",
        "%d frame, %d rows, %d columns".formatted(grid.frames(), grid.rows(), grid.columns()));
    table.row("tokens", "%,d".formatted(patches.tokens()));
    if (values.length > 0) {
      table.row("values", Json.line(values));
    }
    return table.toString();
  }

  private static String size(ImageSize size) {
    return "%,d by %,d pixels".formatted(size.width(), size.height());
  }
}
