package roll.rollout.supervise;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.agent.AgentTools;
import roll.api.agent.AgentType;
import roll.api.agent.Reply;
import roll.api.image.PictureScale;
import roll.api.tool.ToolCall;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSession;
import roll.api.tool.ToolSet;
import roll.runtime.trace.Span;

/** An agent type whose calls an {@link Attempt} supervises. */
public record SupervisedAgent(AgentType type, Attempt attempt) implements AgentType {
  /**
   * Returns the tools {@code kit} with supervised calls. Tool calls are not supervised; each has
   * its own timeout.
   */
  public static AgentTools kit(AgentTools kit, Attempt attempt) {
    List<ToolSet> sets =
        kit.sets().stream()
            .<ToolSet>map(set -> set instanceof EpisodeTools own ? own : new Tools(set, attempt))
            .toList();
    return new AgentTools(kit.config(), new SupervisedAgent(kit.type(), attempt), sets);
  }

  @Override
  public String description() {
    return attempt.ask("description", type::description);
  }

  @Override
  public boolean listsTools() {
    return attempt.ask("listsTools", type::listsTools);
  }

  @Override
  public String instruction(List<ToolSchema> tools) {
    return attempt.ask(
        "instruction of the agent type",
        () -> SupervisedEpisode.text("instruction of the agent type", type.instruction(tools)));
  }

  @Override
  public Reply read(String response, List<ToolSchema> tools) {
    return attempt.ask(
        "read of the agent type",
        () -> {
          Reply reply = type.read(response, tools);
          return new Reply(List.copyOf(reply.calls()), reply.executed());
        });
  }

  @Override
  public int kept(String response) {
    return attempt.ask("kept of the agent type", () -> type.kept(response));
  }

  @Override
  public boolean pointsAtPictures() {
    return attempt.ask("pointsAtPictures", type::pointsAtPictures);
  }

  @Override
  public String answer(String response, @Nullable PictureScale scale) {
    return attempt.ask("answer of the agent type", () -> type.answer(response, scale));
  }

  @Override
  public String write(String thought, List<ToolCall> calls) {
    return attempt.ask("write of the agent type", () -> type.write(thought, calls));
  }

  /** Tools whose sessions are opened and closed under supervision. */
  private record Tools(ToolSet set, Attempt attempt) implements ToolSet {
    @Override
    public List<ToolSchema> tools() {
      return attempt.ask("the list of tools", () -> List.copyOf(set.tools()));
    }

    @Override
    public ToolSession open(long seed) {
      ToolSession session = attempt.ask("opening of a tool", () -> set.open(seed));
      return new Session(session, attempt);
    }
  }

  /** A session whose calls run on their own threads. */
  record Session(ToolSession session, Attempt attempt) implements ToolSession {
    @Override
    public ToolResult call(String tool, Map<String, Object> arguments) throws InterruptedException {
      long begun = System.nanoTime();
      Span span = attempt.trace().tool(tool);
      try {
        return span.around(
            () -> {
              ToolResult result = session.call(tool, arguments);
              span.set("roll.tool.status", result.status().name());
              return result;
            });
      } finally {
        attempt.times().add(EpisodeActivity.TOOL, begun);
      }
    }

    @Override
    public void close() {
      attempt.finish("close of a tool", session::close);
    }
  }
}
