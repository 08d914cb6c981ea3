package roll.rollout.replay;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.agent.AgentTools;
import roll.api.agent.AgentType;
import roll.api.agent.Reply;
import roll.api.config.AgentConfig;
import roll.api.data.Trajectory;
import roll.api.image.PictureScale;
import roll.api.tool.ToolCall;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSession;
import roll.api.tool.ToolSet;

/**
 * Tools that return the recorded results. A turn with recorded results counts as one with calls. No
 * real tool is called.
 */
final class RecordedTools implements ToolSet {
  private static final ToolSchema RECORDED =
      new ToolSchema("recorded", "Returns a recorded result.", Map.of());

  private final RecordedEpisode episode;
  private final RecordedPolicy policy;
  private Iterator<String> results = Collections.emptyIterator();

  private RecordedTools(RecordedEpisode episode, RecordedPolicy policy) {
    this.episode = episode;
    this.policy = policy;
  }

  /** Returns the tools of {@code episode} for {@code policy}, without limits. */
  static AgentTools kit(
      AgentConfig config, AgentType type, RecordedEpisode episode, RecordedPolicy policy) {
    RecordedTools tools = new RecordedTools(episode, policy);
    AgentConfig unlimited =
        new AgentConfig(
            config.type(),
            Map.of(),
            0,
            Integer.MAX_VALUE,
            false,
            config.callTimeout(),
            Integer.MAX_VALUE,
            config.truncateSide());
    return new AgentTools(unlimited, tools.new RecordedAgentType(type), List.of(tools));
  }

  /** Parses one call per recorded result, and answers as {@code type} does. */
  private final class RecordedAgentType implements AgentType {
    private final AgentType type;

    RecordedAgentType(AgentType type) {
      this.type = type;
    }

    @Override
    public String description() {
      return type.description();
    }

    @Override
    public boolean listsTools() {
      return false;
    }

    @Override
    public String instruction(List<ToolSchema> tools) {
      return "";
    }

    @Override
    public Reply read(String response, List<ToolSchema> tools) {
      List<String> said = policy.turn().results();
      results = said.iterator();
      return Reply.calling(
          said.stream().map(one -> ToolCall.of(RECORDED.name(), Map.of())).toList());
    }

    @Override
    public boolean pointsAtPictures() {
      return type.pointsAtPictures();
    }

    @Override
    public String answer(String response, @Nullable PictureScale scale) {
      return type.answer(response, scale);
    }

    @Override
    public String write(String thought, List<ToolCall> calls) {
      return type.write(thought, calls);
    }
  }

  @Override
  public List<ToolSchema> tools() {
    return List.of(RECORDED);
  }

  /** Returns a session for sequential calls. */
  @Override
  public ToolSession open(long seed) {
    return (tool, arguments) -> {
      String said = results.next();
      boolean ends =
          policy.last() && !results.hasNext() && episode.finish().equals(Trajectory.TERMINAL);
      return ends ? ToolResult.finish(said) : ToolResult.of(said);
    };
  }
}
