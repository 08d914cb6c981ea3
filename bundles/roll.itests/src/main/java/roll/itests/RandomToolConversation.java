package roll.itests;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import roll.api.agent.AgentType;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.env.Step;
import roll.api.tool.ToolCall;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSchema.Argument;
import roll.api.tool.ToolSet;

/** Random conversations with tools. */
final class RandomToolConversation {
  private static final String[] WORDS = {
    "the",
    " answer",
    " is",
    " 42",
    "\n",
    "Δx",
    " naïve",
    "```",
    "{\"a\": 1}",
    "  ",
    "你好",
    "<b>",
    "\t",
    "🙂"
  };

  private final SplittableRandom random;

  /** Creates a conversation from {@code random}. */
  RandomToolConversation(SplittableRandom random) {
    this.random = random;
  }

  /** Returns the number of the model's messages, one to four. */
  int turns() {
    return 1 + random.nextInt(4);
  }

  /** Returns a system message, or null. */
  @Nullable String system() {
    return random.nextBoolean() ? "Be brief." : null;
  }

  /** Returns one to three tools that echo their argument. */
  List<ToolSet> tools() {
    List<ToolSet> sets = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(3); i++) {
      String result = text();
      ToolSchema schema =
          ToolSchema.of(
              "tool_" + i, "Does" + text() + ".", Argument.text("query", "what" + text()));
      sets.add(ToolSet.of(schema, arguments -> ToolResult.of(result + arguments.get("query"))));
    }
    return sets;
  }

  /** Returns a message of {@code type} that calls one to three of {@code tools}. */
  String calling(AgentType type, List<ToolSchema> tools) {
    List<ToolCall> calls = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(3); i++) {
      Map<String, Object> arguments = new LinkedHashMap<>();
      arguments.put("query", text());
      calls.add(ToolCall.of(tools.get(random.nextInt(tools.size())).name(), arguments));
    }
    return type.write(random.nextBoolean() ? "I say" + text() : "", calls);
  }

  /** Returns a sentence with some words that are hard to tokenize. */
  String text() {
    StringBuilder text = new StringBuilder("so");
    for (int i = 0; i < random.nextInt(1, 12); i++) {
      text.append(WORDS[random.nextInt(WORDS.length)]);
    }
    return text.append('.').toString();
  }

  /** Returns an environment of one question, answered by any message that is not a call. */
  Scenario question() {
    return new Question("What of" + text() + "?");
  }

  private record Question(String text) implements Scenario, Episode {
    @Override
    public String instruction() {
      return "";
    }

    @Override
    public Episode reset(long seed) {
      return this;
    }

    @Override
    public String observation() {
      return text;
    }

    @Override
    public String respond(String action) {
      return action;
    }

    @Override
    public Step step(String response) {
      return new Step("", 0, true, false, Map.of());
    }

    @Override
    public void close() {}
  }
}
