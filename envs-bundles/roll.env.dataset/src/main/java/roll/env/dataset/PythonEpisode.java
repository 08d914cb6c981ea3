package roll.env.dataset;

import com.google.gson.JsonObject;
import java.awt.image.BufferedImage;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import roll.api.env.Episode;
import roll.api.env.Observation;
import roll.api.env.Step;
import roll.api.tool.ToolResult;
import roll.bridge.PeerException;
import roll.bridge.PeerPools;
import roll.bridge.PeerSession;

/**
 * A question with tools in Python. If the process ends, the next step fails, so that the episode is
 * played again.
 */
final class PythonEpisode implements Episode {
  private final Episode question;
  private final PythonTools python;
  private final PeerSession session;
  private final String shown;
  private @Nullable PeerException lost;

  private PythonEpisode(Episode question, PythonTools python, PeerSession session, String shown) {
    this.question = question;
    this.python = python;
    this.session = session;
    this.shown = shown;
  }

  /**
   * Resets an environment with the row of {@code question}.
   *
   * @throws PeerException if that fails
   */
  static PythonEpisode of(Episode question, PythonTools python, PeerPools peers) {
    PeerSession session = peers.open(python.spec());
    boolean begun = false;
    try {
      String shown = "";
      if (!python.name().isEmpty()) {
        JsonObject reset = request("reset", session);
        reset.add("row", PythonTools.json(question.facts()));
        shown = session.ask(reset).get("observation").getAsString();
      }
      begun = true;
      return new PythonEpisode(question, python, session, shown);
    } finally {
      if (!begun) {
        session.close();
      }
    }
  }

  private static JsonObject request(String op, PeerSession session) {
    JsonObject request = new JsonObject();
    request.addProperty("op", op);
    request.addProperty("episode", session.name());
    return request;
  }

  /** Returns the question followed by what the environment shows at its reset. */
  @Override
  public String observation() {
    return question.observation() + shown;
  }

  @Override
  public Observation observed() {
    Observation asked = question.observed();
    return new Observation(asked.text() + shown, asked.pictures(), asked.before());
  }

  @Override
  public Optional<String> expert() {
    return question.expert();
  }

  /** Returns the row, and the environment's attributes for rewards. */
  @Override
  public synchronized Map<String, Object> facts() {
    if (python.name().isEmpty()) {
      return question.facts();
    }
    Map<String, Object> facts = new LinkedHashMap<>(question.facts());
    facts.put(
        PythonScenario.ENVIRONMENTS,
        PythonTools.map(session.ask(request("state", session)).get("state")));
    return facts;
  }

  @Override
  public synchronized ToolResult call(String tool, Map<String, Object> arguments)
      throws InterruptedException {
    JsonObject call = request("call", session);
    call.addProperty("tool", tool);
    call.add("arguments", PythonTools.json(arguments));
    try {
      JsonObject answer = session.ask(call);
      String result = answer.get("result").getAsString();
      return answer.has("failed") ? ToolResult.error(result) : ToolResult.of(result);
    } catch (PeerException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException(e.getMessage());
      }
      lost = e;
      return ToolResult.finish("");
    }
  }

  /** Ends the episode with the answer; the environment may grade it. */
  @Override
  public synchronized Step step(String response) {
    if (lost != null) {
      throw lost;
    }
    Step step = question.step(response);
    if (python.grades()) {
      double reward = session.ask(request("grade", session)).get("reward").getAsDouble();
      step = new Step("", reward, true, false, Map.of("reward/" + python.name(), reward));
    }
    session.finished();
    return step;
  }

  @Override
  public Optional<BufferedImage> render() {
    return question.render();
  }

  @Override
  public synchronized void close() {
    if (session.alive()) {
      session.tell(request("close", session));
    }
    session.close();
    question.close();
  }
}
