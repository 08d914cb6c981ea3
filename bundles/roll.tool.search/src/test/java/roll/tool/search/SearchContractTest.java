package roll.tool.search;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import roll.api.tool.Tool;
import roll.testkit.ToolContract;

class SearchContractTest extends ToolContract {
  @TempDir Path folder = Path.of("");

  @Override
  protected Tool tool() {
    return new SearchTool();
  }

  @Override
  protected Map<String, Object> options() {
    Path file = folder.resolve("a.txt");
    try {
      Files.writeString(file, "plain two lines fence\n\nfield value AND open drop table\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Map.of("files", List.of(file.toString()), "top_k", 2);
  }

  @Override
  protected int longest() {
    return 2 * 600;
  }
}
