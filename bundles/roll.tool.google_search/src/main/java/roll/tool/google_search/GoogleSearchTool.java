package roll.tool.google_search;

import static roll.api.option.OptionInfo.Type.INTEGER;
import static roll.api.option.OptionInfo.Type.NUMBER;
import static roll.api.option.OptionInfo.Type.TEXT;

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
import roll.api.option.OptionInfo;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.api.tool.RollTool;
import roll.api.tool.Tool;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSchema.Argument;
import roll.api.tool.ToolSet;
import roll.remote.PatientClient;
import roll.remote.WebAddress;

/** Searches the web by a service that answers as Serper does. */
@Component(name = "roll.tool.google_search")
@RollTool("google_search")
public final class GoogleSearchTool implements Tool {
  private static final String STANDARD = "https://google.serper.dev/search";
  private static final ToolSchema SCHEMA =
      ToolSchema.of(
          "google_search",
          "Search the web; returns a short answer, or titles and excerpts of the first pages.",
          Argument.text("query", "What to look for, as one would type it."));

  private final Function<String, Optional<String>> environment;
  private final Map<SearchEngine.Source, SearchEngine> engines = new HashMap<>();

  /** The tool with the variables of this process. */
  @Activate
  public GoogleSearchTool() {
    this(name -> Optional.ofNullable(System.getenv(name)).filter(value -> !value.isBlank()));
  }

  /** The tool with other variables. */
  GoogleSearchTool(Function<String, Optional<String>> environment) {
    this.environment = environment;
  }

  @Override
  public String description() {
    return "Searches the web by a service that answers as Serper does; needs a key.";
  }

  @Override
  public List<OptionInfo> options() {
    return List.of(
        new OptionInfo(
            "base_url", TEXT, null, "where queries go; absent, GOOGLE_SEARCH_BASE_URL or Serper"),
        new OptionInfo("api_key", TEXT, null, "the key; absent, SERPER_API_KEY"),
        new OptionInfo("top_k", INTEGER, 3, "results that a search gives"),
        new OptionInfo("cache_file", TEXT, null, "where answers are kept; absent, in memory only"),
        new OptionInfo("timeout", NUMBER, 20, "seconds that an answer may take"),
        new OptionInfo("max_retries", INTEGER, 3, "how often a query is sent again"),
        new OptionInfo(
            "retry_delay", NUMBER, 1, "seconds before the first time, doubled each time"));
  }

  @Override
  public ToolSet configure(Options options) {
    int most = options.integer("top_k", 1, 100);
    SearchEngine.Source source =
        new SearchEngine.Source(
            address(options),
            key(options),
            new PatientClient.Limits(
                options.number("timeout", 0.001, 600),
                options.integer("max_retries", 0, 100),
                options.number("retry_delay", 0, 60),
                60),
            options.has("cache_file")
                ? Path.of(options.text("cache_file")).toAbsolutePath().normalize()
                : null);
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
        options.has("base_url")
            ? options.text("base_url")
            : environment.apply("GOOGLE_SEARCH_BASE_URL").orElse(STANDARD);
    return WebAddress.of(given)
        .orElseThrow(
            () ->
                new UserException(
                    options.where()
                        + ".base_url: expected an address such as "
                        + STANDARD
                        + ", found '"
                        + given
                        + "'"));
  }

  private String key(Options options) {
    String key =
        options.has("api_key")
            ? options.text("api_key")
            : environment
                .apply("SERPER_API_KEY")
                .orElseThrow(
                    () ->
                        new UserException(
                            options.where()
                                + ".api_key is required where SERPER_API_KEY is not set"));
    if (!key.matches("[!-~]+")) {
      throw options.wrong("api_key", "a text without spaces");
    }
    return key;
  }

  /** Closes the connections; sessions of a stopped component are told that there is no answer. */
  @Deactivate
  void deactivate() {
    synchronized (engines) {
      engines.values().forEach(SearchEngine::close);
      engines.clear();
    }
  }
}
