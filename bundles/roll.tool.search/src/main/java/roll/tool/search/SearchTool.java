package roll.tool.search;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.tool.RollTool;
import roll.api.tool.Tool;
import roll.api.tool.ToolSet;

/** Full-text search in files of this machine. */
@Component(name = "roll.tool.search")
@RollTool("search")
public final class SearchTool implements Tool {
  private static final Option<List<String>> FILES =
      Option.list(
          "files",
          "files to search, or folders, of which all files that can be read are, also deeper down");
  private static final Option<Integer> TOP_K =
      Option.integer("top_k", 1, 100, "passages that a search gives").withDefault(3);
  private static final Option<Integer> SNIPPET_LENGTH =
      Option.integer(
              "snippet_length",
              20,
              100_000,
              "most characters shown of a passage: the stretch with the most different words of the"
                  + " query")
          .withDefault(500);
  private static final Option<List<String>> FIELDS =
      Option.list("fields", "of JSON objects: the first is the title, the others are the text")
          .withDefault(List.of("title", "text"));
  private static final Option<String> INDEX_FOLDER =
      Option.text("index_folder", "where the index is kept; without one it is in memory");

  private final Indexes indexes = new Indexes();

  @Override
  public String description() {
    return "Full-text search (BM25) in JSON, JSON lines, text and Markdown files.";
  }

  @Override
  public List<Option<?>> options() {
    return List.of(FILES, TOP_K, SNIPPET_LENGTH, FIELDS, INDEX_FOLDER);
  }

  @Override
  public ToolSet configure(Options options) {
    int most = options.get(TOP_K);
    int length = options.get(SNIPPET_LENGTH);
    List<String> fields = options.get(FIELDS);
    if (fields.size() < 2) {
      throw options.wrong(FIELDS, "the name of the title and at least one of the text");
    }
    Corpus corpus = Corpus.of(options.where() + "." + FILES.name(), options.get(FILES), fields);
    Optional<Path> folder =
        options.find(INDEX_FOLDER).map(name -> Path.of(name).toAbsolutePath().normalize());
    return new SearchTools(indexes, new Indexes.Source(corpus, folder), most, length);
  }

  /** Closes indexes when their last users have gone. */
  @Deactivate
  void deactivate() {
    indexes.close();
  }
}
