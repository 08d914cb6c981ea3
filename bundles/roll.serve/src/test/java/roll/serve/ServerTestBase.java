package roll.serve;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.net.InetAddress;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import roll.api.model.ChatTemplate;
import roll.api.strategy.Generator;
import roll.runtime.serving.ListenSettings;
import roll.runtime.serving.ServedModel;
import roll.runtime.serving.Serving;
import roll.testkit.Utf8Tokenizer;

/** A server on this machine with a scripted model, and its client. */
@Timeout(60)
abstract class ServerTestBase {
  static final String CHAT = "/v1/chat/completions";
  static final String TEXT = "/v1/completions";

  final ScriptedGenerator model = new ScriptedGenerator();

  /** A text that the tokenizer refuses. */
  static final String REFUSED = "<refused>";

  final Utf8Tokenizer tokenizer = new Utf8Tokenizer(REFUSED, "9 characters");

  /** The chat template; set before the first request. */
  ChatTemplate template =
      (where, context) -> context.get("messages") + "|" + context.get("tools") + ">";

  private @Nullable Serving serving;
  private @Nullable OpenAiClient client;

  @AfterEach
  void close() {
    if (client != null) {
      client.close();
    }
    if (serving != null) {
      serving.close();
    }
  }

  /** Returns a client of a server without a key and with large limits. */
  OpenAiClient client() {
    return client(model, null, 16);
  }

  /**
   * Returns a client of the server, which starts with {@code generator} on the first call.
   *
   * @param key key of the server and the client, or null for none
   * @param mostRequests maximum concurrent requests
   */
  OpenAiClient client(Generator generator, @Nullable String key, int mostRequests) {
    OpenAiClient known = client;
    if (known != null) {
      return known;
    }
    ServedModel served =
        new ServedModel(
            "tiny", tokenizer, generator, template, List.of(Utf8Tokenizer.END, 7), 400, true);
    Serving started =
        AllDialects.server()
            .start(
                served, new ListenSettings(InetAddress.getLoopbackAddress(), 0, key, mostRequests));
    serving = started;
    OpenAiClient made = new OpenAiClient(started.address().getPort(), key);
    client = made;
    return made;
  }

  /** Returns the server, after {@link #client}. */
  Serving serving() {
    return Objects.requireNonNull(serving);
  }

  /**
   * Returns the body of a request to {@link #CHAT} with the members {@code more}, which begin with
   * a comma.
   */
  static String body(String more) {
    return "{\"model\":\"tiny\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]" + more + "}";
  }

  static JsonObject json(String text) {
    return JsonParser.parseString(text).getAsJsonObject();
  }

  /** Returns the latest prompt as text. */
  String prompt() {
    return new Utf8Tokenizer().decode(model.asked.getLast().prompt(), false);
  }
}
