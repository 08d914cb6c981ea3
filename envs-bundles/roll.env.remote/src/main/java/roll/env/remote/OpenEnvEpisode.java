package roll.env.remote;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.env.EpisodeStart;
import roll.bridge.PeerConnection;
import roll.bridge.PeerException;

/** OpenEnv episode over a WebSocket of its own. */
final class OpenEnvEpisode implements EpisodeClient {
  private static final String FULL = "CAPACITY_REACHED";

  /** Errors of invalid actions, which the agent sees while the episode continues. */
  private static final Set<String> REFUSED = Set.of("VALIDATION_ERROR", "INVALID_JSON");

  private static final int SHOWN = 100;
  private static final Duration FULL_PAUSE = Duration.ofMillis(100);
  private static final Duration GONE_PAUSE = Duration.ofSeconds(1);
  private static final Duration GOODBYE = Duration.ofSeconds(1);

  private final OpenEnvServer server;
  private boolean admitted;
  private boolean begun;
  private @Nullable PeerConnection connection;
  private JsonObject seen = new JsonObject();

  /** A message of the server. */
  private record Said(String type, JsonObject data) {
    boolean isError() {
      return type.equals("error");
    }

    String code() {
      return data.get("code") instanceof JsonPrimitive code ? code.getAsString() : "";
    }

    /** Maximum number of sessions of a full server; 0 if unknown. */
    int sessions() {
      return data.get("max_sessions") instanceof JsonPrimitive most && most.isNumber()
          ? most.getAsInt()
          : 0;
    }

    /** Returns the message with the validation errors. */
    String message() {
      List<String> parts = new ArrayList<>();
      parts.add(data.get("message") instanceof JsonPrimitive text ? text.getAsString() : "error");
      if (data.get("errors") instanceof JsonArray errors) {
        errors.forEach(error -> parts.add(detail(error)));
      }
      return String.join("; ", parts);
    }

    private static String detail(JsonElement error) {
      if (!(error instanceof JsonObject one && one.get("msg") instanceof JsonPrimitive what)) {
        return error.toString();
      }
      List<String> place = new ArrayList<>();
      if (one.get("loc") instanceof JsonArray names) {
        names.forEach(name -> place.add(name.toString().replace("\"", "")));
      }
      return String.join(".", place) + ": " + what.getAsString();
    }
  }

  /** Creates an episode without connecting. */
  OpenEnvEpisode(OpenEnvServer server) {
    this.server = server;
  }

  /**
   * Starts the episode; a full or restarting server is retried until none of its episodes has made
   * a step for the start timeout.
   */
  @Override
  public JsonObject reset(EpisodeStart start) {
    long since = System.nanoTime();
    while (true) {
      if (!admitted) {
        server.sessions().acquire(since, server.start());
        admitted = true;
      }
      PeerConnection opened = opened(since);
      connection = opened;
      Said said = ask(opened, message("reset", data(start)), server.start());
      if (!said.isError()) {
        seen = answer(said);
        if (seen.get("terminated") instanceof JsonPrimitive over && over.getAsBoolean()) {
          throw refusal("the episode is over before its first step");
        }
        server.sessions().begun();
        begun = true;
        return seen.deepCopy();
      }
      if (!said.code().equals(FULL) || server.sessions().late(since, server.start())) {
        throw refusal(said.message() + " (" + said.code() + ")");
      }
      opened.close();
      admitted = server.sessions().retains(said.sessions());
      pause(FULL_PAUSE);
    }
  }

  /** Connects, retrying while the server restarts. */
  private PeerConnection opened(long since) {
    while (true) {
      try {
        return server.connections().open(server.place());
      } catch (PeerException e) {
        if (e.refused() || server.sessions().late(since, server.start())) {
          throw e;
        }
        pause(GONE_PAUSE);
      }
    }
  }

  /** Returns 31 bits of the seed, which every random generator accepts. */
  static long seed(EpisodeStart start) {
    return (start.seed() ^ start.seed() >>> 32) & Integer.MAX_VALUE;
  }

  private JsonObject data(EpisodeStart start) {
    JsonObject data = new JsonObject();
    data.addProperty("seed", seed(start));
    server.told().entrySet().forEach(entry -> data.add(entry.getKey(), entry.getValue()));
    return data;
  }

  @Override
  public JsonObject step(String response) {
    PeerConnection open = connection;
    if (open == null) {
      throw new IllegalStateException("the episode has not begun");
    }
    JsonObject action;
    try {
      action = server.actions().action(response);
    } catch (IllegalArgumentException e) {
      return invalid(String.valueOf(e.getMessage()));
    }
    Said said = ask(open, message("step", action), server.patience());
    if (said.isError()) {
      if (REFUSED.contains(said.code())) {
        return invalid(said.message());
      }
      throw refusal(said.message() + " (" + said.code() + ")");
    }
    server.sessions().progress();
    JsonObject answer = answer(said);
    seen = answer.deepCopy();
    valid(answer, 1);
    return answer;
  }

  /** Returns the last state with the reason why the action is invalid. */
  private JsonObject invalid(String why) {
    JsonObject answer = seen.deepCopy();
    String before = new AnswerFields(answer).text("observation", "");
    answer.addProperty("observation", why + (before.isEmpty() ? "" : "\n\n" + before));
    answer.addProperty("reward", 0);
    valid(answer, 0);
    return answer;
  }

  private static void valid(JsonObject answer, int valid) {
    answer.getAsJsonObject("metrics").addProperty(OpenEnvServer.VALID, valid);
  }

  private JsonObject answer(Said said) {
    if (!said.type().equals("observation")) {
      throw refusal("answered with '%s' where an observation is due".formatted(said.type()));
    }
    return server.observations().answer(said.data(), server.actions().choices());
  }

  /** Returns the answer to {@code message}, or an error that the server has already sent. */
  private Said ask(PeerConnection open, JsonObject message, Duration patience) {
    Optional<String> before = open.heard();
    if (before.isPresent()) {
      Said unasked = read(before.get());
      if (unasked.isError()) {
        return unasked;
      }
      throw refusal("sent an unexpected message: " + cut(before.get()));
    }
    open.tell(message.toString(), patience);
    return read(open.next(patience));
  }

  private Said read(String text) {
    try {
      if (JsonParser.parseString(text) instanceof JsonObject said
          && said.get("type") instanceof JsonPrimitive type
          && said.get("data") instanceof JsonObject data) {
        return new Said(type.getAsString(), data);
      }
    } catch (JsonParseException | StackOverflowError e) {
      // said below
    }
    throw refusal("wrote an invalid answer (an object with type and data): " + cut(text));
  }

  private static String cut(String text) {
    return text.length() > SHOWN ? text.substring(0, SHOWN) + " …" : text;
  }

  private PeerException refusal(String why) {
    return PeerException.refused(server.place().shown() + ": " + why);
  }

  private static JsonObject message(String type, JsonObject data) {
    JsonObject message = new JsonObject();
    message.addProperty("type", type);
    message.add("data", data);
    return message;
  }

  private void pause(Duration pause) {
    try {
      Thread.sleep(pause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw PeerException.ended("interrupted while " + server.place().shown() + " was waited for");
    }
  }

  /** Sends OpenEnv's close message, so that the server frees the episode. */
  @Override
  public void close() {
    PeerConnection open = connection;
    if (open != null) {
      JsonObject goodbye = new JsonObject();
      goodbye.addProperty("type", "close");
      open.tell(goodbye.toString(), GOODBYE);
      open.close();
    }
    if (admitted) {
      admitted = false;
      server.sessions().release(begun);
    }
  }
}
