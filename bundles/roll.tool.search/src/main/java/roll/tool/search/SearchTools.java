package roll.tool.search;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSchema.Argument;
import roll.api.tool.ToolSession;
import roll.api.tool.ToolSet;

/** The search tool over one index, for one rollout. */
final class SearchTools implements ToolSet {
  /** Description of the tool for the model. */
  static final ToolSchema SCHEMA =
      ToolSchema.of(
          "search",
          "Search a collection of texts; returns the passages that fit the query best.",
          Argument.text("query", "What to look for, in a few words."));

  /** Search result if no passage matches. */
  static final String NOTHING = "Nothing was found; try other words.";

  private final IndexCache indexes;
  private final IndexCache.Source source;
  private final PassageIndex index;
  private final int most;
  private final int length;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Uses the index of {@code source} until it is closed.
   *
   * @param most maximum number of passages per query
   * @param length maximum characters of a passage
   */
  SearchTools(IndexCache indexes, IndexCache.Source source, int most, int length) {
    this.indexes = indexes;
    this.source = source;
    this.most = most;
    this.length = length;
    index = indexes.use(source);
  }

  @Override
  public List<ToolSchema> tools() {
    return List.of(SCHEMA);
  }

  @Override
  public ToolSession open(long seed) {
    return (name, arguments) -> ToolResult.of(found(String.valueOf(arguments.get("query"))));
  }

  private String found(String query) {
    List<Passage> passages = index.search(query, most);
    if (passages.isEmpty()) {
      return NOTHING;
    }
    Snippet snippet = new Snippet(index.analyzer(), terms(query), length);
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < passages.size(); i++) {
      Passage passage = passages.get(i);
      lines.append(i == 0 ? "" : "\n").append(i + 1).append(". ");
      lines.append((passage.title() + " " + snippet.of(passage.text())).strip());
    }
    return lines.toString();
  }

  private Set<String> terms(String query) {
    try {
      return index.terms(query).keySet();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    if (!closed.getAndSet(true)) {
      indexes.release(source);
    }
  }
}
