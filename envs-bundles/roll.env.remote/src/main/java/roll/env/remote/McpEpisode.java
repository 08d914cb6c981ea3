package roll.env.remote;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.env.EpisodeStart;
import roll.bridge.PeerException;
import roll.bridge.mcp.McpResult;
import roll.bridge.mcp.McpSession;
import roll.env.remote.ResponseCalls.Call;

/** Episode in an MCP session: the results of tools are the observations. */
final class McpEpisode implements EpisodeClient {
  private static final int SHOWN = 60;

  private final McpServer server;
  private @Nullable McpSession session;
  private @Nullable String picture;
  private int turns;

  /** Creates an episode that is not started. */
  McpEpisode(McpServer server) {
    this.server = server;
  }

  @Override
  public JsonObject reset(EpisodeStart start) {
    McpSession opened = server.open();
    session = opened;
    Turn turn = new Turn();
    if (server.begin().isPresent()) {
      String name = server.begin().get();
      JsonObject arguments = server.told().deepCopy();
      if (server.takes(name, "seed") && !arguments.has("seed")) {
        arguments.addProperty("seed", OpenEnvEpisode.seed(start));
      }
      turn.add(name, graded(name, opened.call(name, arguments)));
      if (turn.over) {
        throw PeerException.refused(
            server.place().shown() + ": the episode is over before its first step");
      }
    }
    return turn.answer();
  }

  /** Checks the result of a tool that the agent did not call, whose refusal fails the episode. */
  private McpResult graded(String name, McpResult result) {
    if (result.refused()) {
      throw PeerException.refused(
          "%s: its tool %s: %s".formatted(server.place().shown(), name, result.text(false)));
    }
    return result;
  }

  @Override
  public JsonObject step(String response) {
    McpSession open = session;
    if (open == null) {
      throw new IllegalStateException("the episode has not begun");
    }
    Turn turn = new Turn();
    turns++;
    String answer = "";
    try {
      List<Call> calls = ResponseCalls.of(response);
      turn.over = calls.isEmpty();
      answer = turn.over ? ResponseCalls.said(response) : "";
      for (Call call : calls) {
        if (!turn.over) {
          turn.add(call.tool(), call(open, call));
        }
      }
    } catch (IllegalArgumentException e) {
      turn.refuse("Error: " + e.getMessage());
    }
    turn.cut = !turn.over && turns >= server.turns();
    if (turn.over || turn.cut) {
      grade(open, answer, turn);
    }
    return turn.answer();
  }

  private McpResult call(McpSession open, Call call) {
    if (!server.offered().contains(call.tool())) {
      throw new IllegalArgumentException(
          "no tool '%s' (there are %s)"
              .formatted(call.tool(), String.join(", ", server.offered())));
    }
    return open.call(call.tool(), call.arguments());
  }

  private void grade(McpSession open, String answer, Turn turn) {
    if (server.grade().isEmpty()) {
      return;
    }
    String name = server.grade().get();
    JsonObject arguments = new JsonObject();
    if (server.takes(name, "answer")) {
      arguments.addProperty("answer", answer);
    }
    McpResult grade = graded(name, open.call(name, arguments));
    JsonElement reward = server.reward().in(grade.fields());
    turn.reward += reward == null ? number(name, grade.text(false)) : number(name, reward);
    turn.note(grade.fields());
  }

  private double number(String name, String text) {
    return number(name, new JsonPrimitive(text.strip()));
  }

  private double number(String name, JsonElement value) {
    try {
      if (value instanceof JsonPrimitive given) {
        return given.isBoolean() ? (given.getAsBoolean() ? 1 : 0) : given.getAsDouble();
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw wrong(name, "reward", value, "a number");
  }

  private boolean flag(String name, @Nullable JsonElement value) {
    if (value == null) {
      return false;
    }
    if (value instanceof JsonPrimitive given && given.isBoolean()) {
      return given.getAsBoolean();
    }
    throw wrong(name, server.done().toString(), value, "true or false");
  }

  private PeerException wrong(String name, String what, JsonElement value, String allowed) {
    String text = value.toString();
    return PeerException.refused(
        "%s: the %s of its tool %s is %s; it must be %s"
            .formatted(
                server.place().shown(),
                what,
                name,
                text.length() > SHOWN ? text.substring(0, SHOWN) + " …" : text,
                allowed));
  }

  @Override
  public void close() {
    if (session != null) {
      session.close();
    }
  }

  /** Result of the tool calls of one response. */
  private final class Turn {
    private final List<String> texts = new ArrayList<>();
    private final JsonObject metrics = new JsonObject();
    private double reward;
    private boolean over;
    private boolean cut;

    Turn() {
      metrics.addProperty(McpServer.VALID, 1);
    }

    void add(String tool, McpResult result) {
      if (result.refused()) {
        refuse(result.text(false));
      } else {
        texts.add(result.text(false));
      }
      picture = result.picture().orElse(picture);
      JsonElement given = server.reward().in(result.fields());
      reward += given == null ? 0 : number(tool, given);
      over |= flag(tool, server.done().in(result.fields()));
      note(result.fields());
    }

    void note(JsonObject fields) {
      for (FieldPath path : server.metrics()) {
        JsonElement number = path.in(fields);
        if (number != null) {
          metrics.add(path.names().getLast(), number);
        }
      }
    }

    void refuse(String why) {
      texts.add(why);
      metrics.addProperty(McpServer.VALID, 0);
    }

    JsonObject answer() {
      JsonObject answer = new JsonObject();
      answer.addProperty("observation", String.join("\n", texts));
      if (picture != null) {
        answer.addProperty("picture", picture);
      }
      answer.addProperty("reward", reward);
      answer.addProperty("terminated", over);
      answer.addProperty("truncated", cut);
      answer.add("metrics", metrics);
      return answer;
    }
  }
}
