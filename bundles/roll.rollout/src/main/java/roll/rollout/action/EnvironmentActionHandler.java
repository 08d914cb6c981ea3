package roll.rollout.action;

import java.util.List;
import roll.api.data.Message;
import roll.api.env.Episode;
import roll.api.env.Step;

/** Treats each response as an action in the environment. */
public record EnvironmentActionHandler(Episode episode) implements ActionHandler {
  @Override
  public Step step(String response, String text) {
    return episode.step(response);
  }

  @Override
  public List<Message> results() {
    return List.of();
  }

  @Override
  public String finish(Step last) {
    return last.terminated() ? "terminated" : "truncated";
  }

  @Override
  public String outOfTurns() {
    return "max_steps";
  }

  @Override
  public String outOfTokens() {
    return "max_length";
  }

  @Override
  public void close() {}
}
