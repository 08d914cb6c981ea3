package roll.tool.google_search;

import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.api.tool.RollTool;
import roll.api.tool.Tool;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSchema.Argument;
import roll.api.tool.ToolSet;
import roll.remote.RetryingClient;
import roll.remote.WebAddress;

/** Searches the web through an API like Serper's. */
@Component(name = "roll.tool.google_search")
@RollTool("google_search")
public final class GoogleSearchTool implements Tool {
  private static final String STANDARD = "https://google.serper.dev/search";
  private static final Option<String> BASE_URL = Option.text("base_url", "where queries go");
  private static final Option<String> API_KEY =
      Option.text("api_key", "the key; without one the run is refused");
  private static final Option<Integer> TOP_K =
      Option.integer("top_k", 1, 100, "results that a search gives").withDefault(3);
  private static final Option<String> CACHE_FILE =
      Option.text(
          "cache_file",
          "file in which answers are kept, JSON lines `{\"query\": …, \"answer\": …}`");
  private static final Option<Double> TIMEOUT =
      Option.number("timeout", 0.001, 600, "seconds that an answer may take").withDefault(20.0);
  private static final Option<Integer> MAX_RETRIES =
      Option.integer("max_retries", 0, 100, "how often a query is sent again").withDefault(3);
  private static final Option<Double> RETRY_DELAY =
      Option.number("retry_delay", 0, 60, "seconds before the first of these, doubled each time")
          .withDefault(1.0);
  private static final ToolSchema SCHEMA =
      ToolSchema.of(
          "google_search",
          "Search the web; returns a short answer, or titles and excerpts of the first pages.",
          Argument.text("query", "What to look for, as one would type it."));

  private final Function<String, Optional<String>> environment;
  private final Map<SearchEngine.Source, SearchEngine> engines = new HashMap<>();

  /** Creates the tool with this process's environment variables. */
  @Activate
  public GoogleSearchTool() {
    this(name -> Optional.ofNullable(System.getenv(name)).filter(value -> !value.isBlank()));
  }

  /** Creates the tool with other environment variables. */
  GoogleSearchTool(Function<String, Optional<String>> environment) {
    this.environment = environment;
  }

  @Override
  public String description() {
    return "Searches the web by a service that answers as Serper does; needs a key.";
  }

  @Override
  public List<Option<?>> options() {
    return List.of(BASE_URL, API_KEY, TOP_K, CACHE_FILE, TIMEOUT, MAX_RETRIES, RETRY_DELAY);
  }

  @Override
  public ToolSet configure(Options options) {
    int most = options.get(TOP_K);
    SearchEngine.Source source =
        new SearchEngine.Source(
            address(options),
            key(options),
            new RetryingClient.Limits(
                options.get(TIMEOUT), options.get(MAX_RETRIES), options.get(RETRY_DELAY), 60),
            options
                .find(CACHE_FILE)
                .map(file -> Path.of(file).toAbsolutePath().normalize())
                .orElse(null));
    SearchEngine engine;
    synchronized (engines) {
      engine = engines.computeIfAbsent(source, SearchEngine::new);
    }
    return ToolSet.of(SCHEMA, arguments -> search(engine, arguments, most));
  }

  private static ToolResult search(SearchEngine engine, Map<String, Object> arguments, int most)
      throws InterruptedException {
    try {
      return ToolResult.of(engine.search(String.valueOf(arguments.get("query")), most));
    } catch (SearchFailure e) {
      return ToolResult.error("Error: " + e.getMessage() + ".");
    }
  }

  private URI address(Options options) {
    String given =
        options
            .find(BASE_URL)
            .or(() -> environment.apply("GOOGLE_SEARCH_BASE_URL"))
            .orElse(STANDARD);
    return WebAddress.of(given)
        .orElseThrow(
            () ->
                new UserException(
                    options.where()
                        + "."
                        + BASE_URL.name()
                        + ": expected an address such as "
                        + STANDARD
                        + ", found '"
                        + given
                        + "'"));
  }

  private String key(Options options) {
    String key =
        options
            .find(API_KEY)
            .or(() -> environment.apply("SERPER_API_KEY"))
            .orElseThrow(
                () ->
                    new UserException(
                        options.where()
                            + "."
                            + API_KEY.name()
                            + " is required where SERPER_API_KEY is not set"));
    if (!key.matches("[!-~]+")) {
      throw options.wrong(API_KEY, "a text without spaces");
    }
    return key;
  }

  /** Closes the connections; open sessions return an error. */
  @Deactivate
  void deactivate() {
    synchronized (engines) {
      engines.values().forEach(SearchEngine::close);
      engines.clear();
    }
  }
}
