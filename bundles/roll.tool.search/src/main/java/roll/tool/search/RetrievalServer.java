package roll.tool.search;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSession;
import roll.api.tool.ToolSet;
import roll.remote.RequestFailure;
import roll.remote.RetryingClient;

/**
 * A client of a retrieval server with the protocol of Search-R1, verl and GEM: {@code {"queries":
 * […], "topk": 3, "return_scores": true}} is answered by {@code {"result": [[{"document":
 * {"contents": "title\n text"}, "score": …}, …]]}}. The body also has AgentFly's form, {@code
 * {"query": …, "top_k": 3}}, whose answer is {@code {"results": [{"contents": …}, …]}}.
 *
 * @param address URL that queries are posted to
 * @param most maximum number of passages per query
 * @param length maximum characters of a passage
 */
record RetrievalServer(URI address, int most, int length, RetryingClient client)
    implements ToolSet {
  @Override
  public List<ToolSchema> tools() {
    return List.of(SearchTools.SCHEMA);
  }

  @Override
  public ToolSession open(long seed) {
    return (name, arguments) -> search(String.valueOf(arguments.get("query")));
  }

  private ToolResult search(String query) throws InterruptedException {
    JsonArray queries = new JsonArray();
    queries.add(query);
    JsonObject body = new JsonObject();
    body.add("queries", queries);
    body.addProperty("topk", most);
    body.addProperty("return_scores", true);
    body.addProperty("query", query);
    body.addProperty("top_k", most);
    try {
      return ToolResult.of(text(client.post(address, Map.of(), body.toString())));
    } catch (RequestFailure e) {
      String problem = e.getCause() == null ? e.getMessage() : "could not be reached" + e.times();
      return ToolResult.error("Error: the retrieval server " + problem + ".");
    } catch (JsonParseException
        | IllegalStateException
        | ClassCastException
        | IndexOutOfBoundsException e) {
      return ToolResult.error("Error: the retrieval server answered something else.");
    }
  }

  /** Returns the numbered passages of an answer. */
  private String text(String answer) {
    JsonObject found = JsonParser.parseString(answer).getAsJsonObject();
    JsonArray passages =
        found.has("results")
            ? array(found.get("results"))
            : array(array(found.get("result")).get(0));
    if (passages.isEmpty()) {
      return SearchTools.NOTHING;
    }
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < Math.min(most, passages.size()); i++) {
      lines.append(i == 0 ? "" : "\n").append(i + 1).append(". ");
      lines.append(shortened(contents(passages.get(i).getAsJsonObject())));
    }
    return lines.toString();
  }

  private static JsonArray array(@Nullable JsonElement element) {
    if (element instanceof JsonArray array) {
      return array;
    }
    throw new JsonParseException("no list");
  }

  /** Returns the text of a passage, which is inside {@code document} if there are scores. */
  private static String contents(JsonObject entry) {
    JsonObject passage = entry.get("document") instanceof JsonObject inner ? inner : entry;
    if (passage.get("contents") instanceof JsonPrimitive contents) {
      return contents.getAsString();
    }
    throw new JsonParseException("no contents");
  }

  private String shortened(String contents) {
    String line = contents.strip().replaceAll("\\s+", " ");
    return line.codePointCount(0, line.length()) <= length
        ? line
        : line.substring(0, line.offsetByCodePoints(0, length)) + "…";
  }

  @Override
  public void close() {
    client.close();
  }
}
