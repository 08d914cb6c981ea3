package roll.tool.search;

import java.net.URI;
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
import roll.remote.RetryingClient;
import roll.remote.WebAddress;

/** Full-text search in files of this machine, or by a retrieval server. */
@Component(name = "roll.tool.search")
@RollTool("search")
public final class SearchTool implements Tool {
  private static final Option<List<String>> FILES =
      Option.list(
              "files",
              "files to search, or folders, of which all files that can be read are, also deeper"
                  + " down")
          .withDefault(List.of());
  private static final Option<String> URL =
      Option.text(
          "url",
          "address of a retrieval server, such as http://localhost:8000/retrieve, instead of"
              + " files");
  private static final Option<Double> TIMEOUT =
      Option.number("timeout", 0.001, 600, "seconds that an answer of the server may take")
          .withDefault(30.0);
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

  private final IndexCache indexes = new IndexCache();

  @Override
  public String description() {
    return "Full-text search (BM25) in JSON, JSON lines, text and Markdown files, or a retrieval"
        + " server.";
  }

  @Override
  public List<Option<?>> options() {
    return List.of(FILES, TOP_K, SNIPPET_LENGTH, FIELDS, INDEX_FOLDER, URL, TIMEOUT);
  }

  @Override
  public ToolSet configure(Options options) {
    int most = options.get(TOP_K);
    int length = options.get(SNIPPET_LENGTH);
    if (options.find(URL).isPresent()) {
      return server(options, most, length);
    }
    if (options.get(FILES).isEmpty()) {
      throw options.wrong(FILES, "at least one file, or the url of a retrieval server");
    }
    List<String> fields = options.get(FIELDS);
    if (fields.size() < 2) {
      throw options.wrong(FIELDS, "the name of the title and at least one of the text");
    }
    Corpus corpus = Corpus.of(options.where() + "." + FILES.name(), options.get(FILES), fields);
    Optional<Path> folder =
        options.find(INDEX_FOLDER).map(name -> Path.of(name).toAbsolutePath().normalize());
    return new SearchTools(indexes, new IndexCache.Source(corpus, folder), most, length);
  }

  /** Returns the tool over a retrieval server; failed requests are retried twice. */
  private static ToolSet server(Options options, int most, int length) {
    if (!options.get(FILES).isEmpty()) {
      throw options.wrong(FILES, "no files beside url");
    }
    URI address =
        WebAddress.of(options.find(URL).orElseThrow())
            .orElseThrow(() -> options.wrong(URL, "an address that begins with http"));
    return new RetrievalServer(
        address,
        most,
        length,
        new RetryingClient(new RetryingClient.Limits(options.get(TIMEOUT), 2, 1, 10)));
  }

  /** Closes indexes when their last users release them. */
  @Deactivate
  void deactivate() {
    indexes.close();
  }
}
