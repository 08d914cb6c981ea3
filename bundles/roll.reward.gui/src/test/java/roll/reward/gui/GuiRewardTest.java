package roll.reward.gui;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.reward.Grade;
import roll.api.reward.RewardFunction;
import roll.testkit.RewardContract;

/**
 * Scores computed by hand: 0.8 · accuracy + 0.2; the tolerance of 0.0707 is 135 pixels across and
 * 76 down.
 */
class GuiRewardTest extends RewardContract {
  @Override
  protected RewardFunction function() {
    return new GuiReward();
  }

  @Override
  protected Map<String, Object> facts() {
    return Map.of("answer", "click(start_box='(1,1)')");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "click(start_box='(960,540)') | click(start_box='(960,540)') | 1",
        "click(start_box='(960,540)') | click(start_box='(1095,540)') | 1",
        "click(start_box='(960,540)') | click(start_box='(1096,540)') | 0.6",
        "click(start_box='(960,540)') | click(start_box='(960,616)') | 1",
        "click(start_box='(960,540)') | click(start_box='(960,617)') | 0.6",
        "click(start_box='(900,500,1020,580)') | CLICK(start_box=\"<point>960 540</point>\") | 1",
        "click(start_box='(700,300,1220,780)') | click(start_box='(960,540)') | 1",
        "click(start_box='(960,540)') | left_double(start_box='(960,540)') | 0.2",
        "click(start_box='(960,540)') | click() | 0.6",
        "drag(start_box='(0,0)', end_box='(9,9)') | drag(start_box='(1,1)', end_box='(8,8)') | 1",
        "drag(start_box='(0,0)', end_box='(9,9)') | drag(start_box='(1,1)', end_box='(999,8)')"
            + " | 0.6",
        "drag(start_box='(0,0)', end_box='(9,9)') | drag(start_box='(999,1)', end_box='(8,8)')"
            + " | 0.6",
        "type(content='good red shoes') | type(content='Red shoes\\n') | 1",
        "type(content='good red shoes') | type(content='blue shoes or') | 0.6",
        "type(content='it\\'s') | type(content=\"it's\") | 1",
        "scroll(start_box='(1,1)', direction='down') | scroll(direction='Down') | 1",
        "scroll(direction='down') | scroll(direction='up') | 0.6",
        "hotkey(key='ctrl c') | hotkey(key='ctrl v') | 0.6",
        "finished(content='done') | finished() | 1",
        "finished() | jump() | 0",
        "finished() | nothing | 0",
      })
  void isHowRightTheActionIs(String gold, String action, double score) {
    String response = "Thought: click() here.\nAction: " + action;
    assertEquals(
        score, score(Map.of(), episode(response).withFacts(Map.of("answer", gold))), 1e-12);
  }

  @Test
  void theLastActionCountsForTheBestOfSeveralAnswers() {
    Map<String, Object> facts =
        Map.of("answer", List.of("hotkey(key='a')", "hotkey(key='b')", "hotkey(key='c')"));
    String response = "Action: jump()\nNo, rather:\nAction: hotkey(key='b')";
    assertEquals(1, score(Map.of(), episode(response).withFacts(facts)), 1e-12);
  }

  @Test
  void whatTheWorldReadComesBeforeWhatTheModelSaid() {
    String said = "Action: click(start_box='(480,270)')";
    var episode = episode(said).withFacts(Map.of("answer", "click(start_box='(960,540)')"));
    assertEquals(0.6, score(Map.of(), episode), 1e-12);
    var read = episode.withAnswer("Action: click(start_box='(960,540)')");
    assertEquals(1, score(Map.of(), read), 1e-12);
  }

  @Test
  void partsAreDetails() {
    Grade grade =
        grade(
            reward(Map.of("width", 100, "height", 100)),
            episode("click(start_box='(50,50)')")
                .withFacts(Map.of("answer", "click(start_box='(10,10)')")));
    assertEquals(Map.of("acc", 0.5, "format", 1.0), grade.details());
    assertEquals("ScreenAction[name=click, arguments={start_box=(50,50)}]", grade.answer());
  }
}
