package roll.api.data;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrajectoryTest {
  /** Messages that say their roles and numbers. */
  private static Trajectory played(String finish, String roles) {
    List<Message> messages = new ArrayList<>();
    for (String role : roles.split(" ", -1)) {
      messages.add(new Message(role, role + messages.size()));
    }
    return new Trajectory(
        new TrajectoryKey("A", 0, 0, 0, 1),
        List.of(),
        new double[1],
        new long[1],
        messages,
        Map.of(),
        finish);
  }

  @ParameterizedTest
  @CsvSource({
    "no_tool_calls, user assistant, assistant1",
    "terminated, user assistant, assistant1",
    "max_steps, user assistant user assistant, assistant3",
    "max_turns, user assistant tool assistant, assistant3",
    "terminal, user assistant tool, tool2",
    "terminal, user assistant tool tool, tool3",
    "max_turns, user assistant tool, ''",
    "max_model_len, user assistant tool tool, ''",
    "max_length, system user, ''",
    "terminal, user, ''",
  })
  void onlyWhatThePolicyOrAToolThatEndsTheEpisodeSaysLastIsTheAnswer(
      String finish, String roles, String answer) {
    Trajectory episode = played(finish, roles);
    assertEquals(answer, episode.finalResponse());
    assertEquals(!answer.isEmpty(), episode.answered());
  }

  @Test
  void aProgramSaysWhatTheAnswerIs() {
    Trajectory episode = played("truncated", "user assistant").ofBranches();
    assertEquals("assistant1", episode.finalResponse());
    assertEquals("42", episode.withAnswer("42").finalResponse());
    assertEquals("", episode.withAnswer("").finalResponse());
    assertEquals(List.of(true, true, false), answered(episode, "42", ""));
  }

  private static List<Boolean> answered(Trajectory episode, String some, String none) {
    return List.of(
        episode.answered(),
        episode.withAnswer(some).answered(),
        episode.withAnswer(none).answered());
  }

  @Test
  void whatAnAnswerWasReadAsIsNotTheAnswer() {
    assertEquals(
        "assistant1", played("terminated", "user assistant").withAnswer("1").finalResponse());
  }
}
