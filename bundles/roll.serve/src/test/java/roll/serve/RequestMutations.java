package roll.serve;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.random.RandomGenerator;
import roll.testkit.RawHttpClient;

/** Valid requests and random mutations of them. */
final class RequestMutations {
  /** Values that replace others, or are inserted anywhere. */
  private static final List<String> VALUES =
      List.of(
          "1e99999999999",
          "-1e400",
          "1e-99999999999",
          "NaN",
          "-0",
          "0x7f",
          "9223372036854775808",
          "1".repeat(2000),
          "null",
          "true",
          "\"\"",
          "\"\\ud800\"",
          "\"\\udfff\\ud800\"",
          "\"\\u0000\"",
          "\"" + "x".repeat(5000) + "\"",
          "\"{{ 1 / 0 }}\"",
          "[]",
          "{}",
          "[".repeat(500),
          "[".repeat(70) + "]".repeat(70),
          "[" + "0,".repeat(5000) + "0]",
          "{\"a\":1,\"a\":2}",
          "{\"role\":\"tool\"}",
          "\r\n",
          "\r\n\r\n",
          "\0",
          "\u00e9\u00ff",
          "\\",
          "chunked",
          "Transfer-Encoding: chunked\r\n",
          "Content-Length: 3\r\n",
          "Host: evil.example\r\n",
          "Origin: http://evil.example\r\n",
          "Expect: 100-continue\r\n",
          "Connection: close\r\n");

  private static final List<String> GOOD =
      List.of(
          chat(""),
          chat(",\"stream\":true,\"n\":2,\"logprobs\":true"),
          chat(
              ",\"temperature\":0.5,\"top_p\":0.9,\"top_k\":5,\"min_p\":0.1,\"max_tokens\":9,"
                  + "\"stop\":[\"a\",\"b\"],\"seed\":-7,\"repetition_penalty\":1.2,"
                  + "\"presence_penalty\":0,\"logit_bias\":{},\"user\":\"me\",\"metadata\":{}"),
          chat(
              ",\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\",\"parameters\":"
                  + "{\"type\":\"object\"}}}],\"tool_choice\":\"auto\","
                  + "\"chat_template_kwargs\":{\"a\":1}"),
          RawHttpClient.request(
              ServerTestBase.CHAT,
              "{\"model\":\"tiny\",\"messages\":[{\"role\":\"assistant\",\"content\":null,"
                  + "\"tool_calls\":[{\"id\":\"1\",\"type\":\"function\",\"function\":{\"name\":"
                  + "\"f\",\"arguments\":\"{\\\"x\\\":1}\"}}]},{\"role\":\"tool\","
                  + "\"tool_call_id\":\"1\",\"content\":[{\"type\":\"text\",\"text\":\"r\"}]}]}"),
          RawHttpClient.request(
              ServerTestBase.TEXT,
              "{\"model\":\"tiny\",\"prompt\":[[1,2],[3]],\"logprobs\":0,\"n\":2}"),
          RawHttpClient.request(
              ServerTestBase.TEXT, "{\"model\":\"tiny\",\"prompt\":[\"a\",\"b\"],\"stream\":true}"),
          RawHttpClient.request(
              "/v1/messages",
              "{\"model\":\"tiny\",\"max_tokens\":9,\"system\":[{\"type\":\"text\",\"text\":\"s\"}],"
                  + "\"stream\":true,\"tools\":[{\"name\":\"t\",\"input_schema\":{}}],\"messages\":["
                  + "{\"role\":\"user\",\"content\":\"a\"},{\"role\":\"assistant\",\"content\":["
                  + "{\"type\":\"thinking\",\"thinking\":\"h\",\"signature\":\"\"},{\"type\":\"tool_use\","
                  + "\"id\":\"c\",\"name\":\"t\",\"input\":{\"x\":1}}]},{\"role\":\"user\",\"content\":["
                  + "{\"type\":\"tool_result\",\"tool_use_id\":\"c\",\"content\":\"d\"}]}]}"),
          RawHttpClient.request(
              "/v1/responses",
              "{\"model\":\"tiny\",\"instructions\":\"s\",\"stream\":true,\"tools\":[{\"type\":"
                  + "\"function\",\"name\":\"t\",\"parameters\":{}}],\"input\":[{\"role\":\"user\","
                  + "\"content\":[{\"type\":\"input_text\",\"text\":\"a\"}]},{\"type\":\"reasoning\","
                  + "\"summary\":[],\"encrypted_content\":\"aGk=\"},{\"type\":\"function_call\","
                  + "\"call_id\":\"c\",\"name\":\"t\",\"arguments\":\"{}\"},{\"type\":"
                  + "\"function_call_output\",\"call_id\":\"c\",\"output\":\"d\"}]}"),
          RawHttpClient.request(
              "/v1/responses",
              "{\"model\":\"tiny\",\"previous_response_id\":\"resp_1\",\"input\":["
                  + "{\"type\":\"item_reference\",\"id\":\"msg_1\"}]}"),
          "GET /v1/responses/resp_1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
          "DELETE /v1/responses/resp_1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
          "GET /v1/models/tiny HTTP/1.1\r\nHost: localhost\r\n\r\n",
          "GET /health HTTP/1.0\r\nHost: localhost\r\n\r\n");

  private final RandomGenerator chance;

  RequestMutations(RandomGenerator chance) {
    this.chance = chance;
  }

  private static String chat(String more) {
    return RawHttpClient.request(ServerTestBase.CHAT, ServerTestBase.body(more));
  }

  /** Returns the next mutated request. */
  byte[] next() {
    String text = GOOD.get(chance.nextInt(GOOD.size()));
    for (int i = chance.nextInt(1, 4); i > 0; i--) {
      text = changed(text);
    }
    return chance.nextInt(3) == 0 ? bytes(text) : counted(text);
  }

  private String changed(String text) {
    int from = chance.nextInt(text.length() + 1);
    int to = Math.min(text.length(), from + chance.nextInt(12));
    String value = VALUES.get(chance.nextInt(VALUES.size()));
    return switch (chance.nextInt(7)) {
      case 0 -> text.substring(0, from) + text.substring(to);
      case 1 -> text.substring(0, from) + text.substring(from, to).repeat(3) + text.substring(to);
      case 2 -> text.substring(0, from) + (char) chance.nextInt(256) + text.substring(to);
      case 3 -> text.substring(0, from) + value + text.substring(from);
      default -> withValue(text, value);
    };
  }

  /** Replaces the text between a colon or comma and the next one by {@code value}. */
  private String withValue(String text, String value) {
    int body = text.indexOf("\r\n\r\n");
    int place = body < 0 ? 0 : chance.nextInt(body, text.length());
    while (place < text.length() && ":,[".indexOf(text.charAt(place)) < 0) {
      place++;
    }
    int end = Math.min(place + 1, text.length());
    while (end < text.length() && ",]}".indexOf(text.charAt(end)) < 0) {
      end++;
    }
    return text.substring(0, Math.min(place + 1, text.length())) + value + text.substring(end);
  }

  /** Corrects Content-Length, so that the whole body is read. */
  private static byte[] counted(String text) {
    int body = text.indexOf("\r\n\r\n");
    return bytes(
        body < 0
            ? text
            : text.substring(0, body)
                    .replaceFirst(
                        "Content-Length: \\d+", "Content-Length: " + (text.length() - body - 4))
                + text.substring(body));
  }

  /** Returns one byte per character; some are invalid UTF-8. */
  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
