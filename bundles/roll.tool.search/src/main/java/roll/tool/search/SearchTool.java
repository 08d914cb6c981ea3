package roll.tool.search;

import static roll.api.option.OptionInfo.Type.INTEGER;
import static roll.api.option.OptionInfo.Type.LIST;
import static roll.api.option.OptionInfo.Type.TEXT;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import roll.api.option.OptionInfo;
import roll.api.option.Options;
import roll.api.tool.RollTool;
import roll.api.tool.Tool;
import roll.api.tool.ToolSet;

/** Full-text search in files of this machine. */
@Component(name = "roll.tool.search")
@RollTool("search")
public final class SearchTool implements Tool {
  private final Indexes indexes = new Indexes();

  @Override
  public String description() {
    return "Full-text search (BM25) in JSON, JSON lines, text and Markdown files.";
  }

  @Override
  public List<OptionInfo> options() {
    return List.of(
        new OptionInfo("files", LIST, null, "files to search, or folders of them"),
        new OptionInfo("top_k", INTEGER, 3, "passages that a search gives"),
        new OptionInfo("snippet_length", INTEGER, 500, "most characters shown of a passage"),
        new OptionInfo(
            "fields",
            LIST,
            List.of("title", "text"),
            "of JSON objects: the first is the title, the others are the text"),
        new OptionInfo(
            "index_folder", TEXT, null, "where the index is kept; absent, it is in memory"));
  }

  @Override
  public ToolSet configure(Options options) {
    int most = options.integer("top_k", 1, 100);
    int length = options.integer("snippet_length", 20, 100_000);
    List<String> fields = options.texts("fields");
    if (fields.size() < 2) {
      throw options.wrong("fields", "the name of the title and at least one of the text");
    }
    Corpus corpus = Corpus.of(options.where() + ".files", options.texts("files"), fields);
    Optional<Path> folder =
        options.has("index_folder")
            ? Optional.of(Path.of(options.text("index_folder")).toAbsolutePath().normalize())
            : Optional.empty();
    return new SearchTools(indexes, new Indexes.Source(corpus, folder), most, length);
  }

  /** Closes indexes when their last users have gone. */
  @Deactivate
  void deactivate() {
    indexes.close();
  }
}
