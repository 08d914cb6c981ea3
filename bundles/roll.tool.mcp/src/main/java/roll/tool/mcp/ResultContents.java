package roll.tool.mcp;

import io.modelcontextprotocol.spec.McpSchema;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What a model is told of a result: its texts, and what else there is by kind. */
final class ResultContents {
  private ResultContents() {}

  /**
   * The texts of {@code result}, one after the other; where there are none, its structured content.
   *
   * @param json how that is written
   */
  static String text(McpSchema.CallToolResult result, Function<Object, String> json) {
    List<McpSchema.Content> contents = result.content() == null ? List.of() : result.content();
    Object structured = result.structuredContent();
    if (contents.isEmpty() && structured != null) {
      return json.apply(structured);
    }
    return contents.stream().map(ResultContents::text).collect(Collectors.joining("\n"));
  }

  private static String text(McpSchema.Content content) {
    return switch (content) {
      case McpSchema.TextContent text -> String.valueOf(text.text());
      case McpSchema.ImageContent image -> "[image, " + image.mimeType() + "]";
      case McpSchema.AudioContent audio -> "[audio, " + audio.mimeType() + "]";
      case McpSchema.ResourceLink link -> "[" + link.uri() + "]";
      case McpSchema.EmbeddedResource inside
          when inside.resource() instanceof McpSchema.TextResourceContents text ->
          String.valueOf(text.text());
      default -> "[" + content.type() + "]";
    };
  }
}
