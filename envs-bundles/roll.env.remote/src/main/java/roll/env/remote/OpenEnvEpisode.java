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

/** An episode over a WebSocket of its own. */
final class OpenEnvEpisode implements EpisodeClient {
  private static final String FULL = "CAPACITY_REACHED";

  /** What the agent is told of, and goes on: its action was none. */
  private static final Set<String> REFUSED = Set.of("VALIDATION_ERROR", "INVALID_JSON");

  private static final int SHOWN = 100;
  private static final Duration FULL_PAUSE = Duration.ofMillis(100);
  private static final Duration GONE_PAUSE = Duration.ofSeconds(1);
  private static final Duration GOODBYE = Duration.ofSeconds(1);

  private final OpenEnvServer world;
  private boolean admitted;
  private boolean begun;
  private @Nullable PeerConnection server;
  private JsonObject seen = new JsonObject();

  /** What a server said: a kind, and what belongs to it. */
  private record Said(String type, JsonObject data) {
    boolean isError() {
      return type.equals("error");
    }

    String code() {
      return data.get("code") instanceof JsonPrimitive code ? code.getAsString() : "";
    }

    /** How many sessions a server that is full has; 0 where it does not say. */
    int sessions() {
      return data.get("max_sessions") instanceof JsonPrimitive most && most.isNumber()
          ? most.getAsInt()
          : 0;
    }

    /** The message, with what was wrong where. */
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

  /** One that is not connected yet. */
  OpenEnvEpisode(OpenEnvServer world) {
    this.world = world;
  }

  /**
   * Begins; a server that is full, or gone, is asked again until, for as long as a start may take,
   * none of its episodes has got on.
   */
  @Override
  public JsonObject reset(EpisodeStart start) {
    long since = System.nanoTime();
    while (true) {
      if (!admitted) {
        world.sessions().acquire(since, world.start());
        admitted = true;
      }
      PeerConnection opened = opened(since);
      server = opened;
      Said said = ask(opened, message("reset", data(start)), world.start());
      if (!said.isError()) {
        seen = answer(said);
        if (seen.get("terminated") instanceof JsonPrimitive over && over.getAsBoolean()) {
          throw refusal("the episode is over before its first step");
        }
        world.sessions().begun();
        begun = true;
        return seen.deepCopy();
      }
      if (!said.code().equals(FULL) || world.sessions().late(since, world.start())) {
        throw refusal(said.message() + " (" + said.code() + ")");
      }
      opened.close();
      admitted = world.sessions().retains(said.sessions());
      pause(FULL_PAUSE);
    }
  }

  /** A connection; a server that restarts is reached a while later. */
  private PeerConnection opened(long since) {
    while (true) {
      try {
        return world.dialogues().open(world.place());
      } catch (PeerException e) {
        if (e.refused() || world.sessions().late(since, world.start())) {
          throw e;
        }
        pause(GONE_PAUSE);
      }
    }
  }

  /** Of the seed 31 bits, which every library of random numbers takes. */
  static long seed(EpisodeStart start) {
    return (start.seed() ^ start.seed() >>> 32) & Integer.MAX_VALUE;
  }

  private JsonObject data(EpisodeStart start) {
    JsonObject data = new JsonObject();
    data.addProperty("seed", seed(start));
    world.told().entrySet().forEach(entry -> data.add(entry.getKey(), entry.getValue()));
    return data;
  }

  @Override
  public JsonObject step(String response) {
    PeerConnection open = server;
    if (open == null) {
      throw new IllegalStateException("the episode has not begun");
    }
    JsonObject action;
    try {
      action = world.actions().action(response);
    } catch (IllegalArgumentException e) {
      return invalid(String.valueOf(e.getMessage()));
    }
    Said said = ask(open, message("step", action), world.patience());
    if (said.isError()) {
      if (REFUSED.contains(said.code())) {
        return invalid(said.message());
      }
      throw refusal(said.message() + " (" + said.code() + ")");
    }
    world.sessions().progress();
    JsonObject answer = answer(said);
    seen = answer.deepCopy();
    valid(answer, 1);
    return answer;
  }

  /** Nothing happened, and the agent is told why. */
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
    return world.observations().answer(said.data(), world.actions().choices());
  }

  /** What the server says to {@code message}, or has said already: why it will not. */
  private Said ask(PeerConnection open, JsonObject message, Duration patience) {
    Optional<String> before = open.heard();
    if (before.isPresent()) {
      Said unasked = read(before.get());
      if (unasked.isError()) {
        return unasked;
      }
      throw refusal("said what nobody asked: " + cut(before.get()));
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
    throw refusal("wrote what is no answer (an object with type and data): " + cut(text));
  }

  private static String cut(String text) {
    return text.length() > SHOWN ? text.substring(0, SHOWN) + " …" : text;
  }

  private PeerException refusal(String why) {
    return PeerException.refused(world.place().shown() + ": " + why);
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
      throw PeerException.ended("interrupted while " + world.place().shown() + " was waited for");
    }
  }

  /** Says goodbye as OpenEnv has it; the server frees what the episode holds. */
  @Override
  public void close() {
    PeerConnection open = server;
    if (open != null) {
      JsonObject goodbye = new JsonObject();
      goodbye.addProperty("type", "close");
      open.tell(goodbye.toString(), GOODBYE);
      open.close();
    }
    if (admitted) {
      admitted = false;
      world.sessions().release(begun);
    }
  }
}
