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

/** A server on this machine, a model that writes what the test says and somebody who asks. */
@Timeout(60)
abstract class ServerKit {
  static final String CHAT = "/v1/chat/completions";
  static final String TEXT = "/v1/completions";

  final Scripted model = new Scripted();
  final Bytes tokenizer = new Bytes();

  /** Makes prompts; to be changed before anybody asks. */
  ChatTemplate template =
      (where, context) -> context.get("messages") + "|" + context.get("tools") + ">";

  private @Nullable Serving serving;
  private @Nullable Client client;

  @AfterEach
  void close() {
    if (client != null) {
      client.close();
    }
    if (serving != null) {
      serving.close();
    }
  }

  /** Somebody who asks the server, which has no key and room enough. */
  Client client() {
    return client(model, null, 16);
  }

  /**
   * Somebody who asks the server, which is started with {@code generator} when it is asked for
   * first.
   *
   * @param key asked for and sent, or null for none
   * @param mostRequests in progress at a time
   */
  Client client(Generator generator, @Nullable String key, int mostRequests) {
    Client known = client;
    if (known != null) {
      return known;
    }
    ServedModel served =
        new ServedModel("tiny", tokenizer, generator, template, List.of(Bytes.END, 7), 400, true);
    Serving started =
        new HttpModelServer()
            .start(
                served, new ListenSettings(InetAddress.getLoopbackAddress(), 0, key, mostRequests));
    serving = started;
    Client made = new Client(started.address().getPort(), key);
    client = made;
    return made;
  }

  /** The server, once somebody asks it. */
  Serving serving() {
    return Objects.requireNonNull(serving);
  }

  /** A question to {@link #CHAT}, with {@code more} members behind a comma. */
  static String body(String more) {
    return "{\"model\":\"tiny\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]" + more + "}";
  }

  static JsonObject json(String text) {
    return JsonParser.parseString(text).getAsJsonObject();
  }

  /** The newest prompt, as text. */
  String prompt() {
    return new Bytes().decode(model.asked.getLast().prompt(), false);
  }
}
