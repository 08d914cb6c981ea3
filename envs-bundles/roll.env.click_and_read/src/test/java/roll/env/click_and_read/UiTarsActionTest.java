package roll.env.click_and_read;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.env.click_and_read.Action.Answer;
import roll.env.click_and_read.Action.Back;
import roll.env.click_and_read.Action.Click;
import roll.env.click_and_read.Action.Scroll;

/** The actions of the agent type gui, as a page understands them. */
class UiTarsActionTest {
  private static void check(Action expected, String text) {
    assertEquals(Optional.of(expected), Action.of(text), text);
  }

  private static void none(String text) {
    assertEquals(Optional.empty(), Action.of(text), text);
  }

  @Test
  void actionsOfAScreenAreActionsOfAPage() {
    check(new Click("400,300"), "click(start_box='(400,300)')");
    check(new Click("400,300"), " click(start_box=\"[400, 300]\")\n");
    check(new Click("400,300"), "click(point='<point>400 300</point>')");
    check(new Click("20,30"), "left_double(start_box='(10,20,30,40)')");
    check(new Click("12,7"), "click(start_box='(12.9,7.2)')");
    check(new Click("-1,5"), "click(start_box='(-1,5)')");
    check(new Scroll(true), "scroll(start_box='(1,1)', direction='down')");
    check(new Scroll(false), "scroll(direction='Up')");
    check(new Back(), "hotkey(key='alt left')");
    check(new Answer("it's 1988"), "finished(content='it\\'s 1988')");
  }

  @Test
  @Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void longWordsTakeLinearTime() {
    none("click(" + "a".repeat(300_000) + ")");
    check(new Click("4,3"), "click(" + "a".repeat(300_000) + ", start_box='(4,3)')");
  }

  @Test
  void whatAPageHasNoUseForIsNone() {
    none("click()");
    none("click(start_box='(1)')");
    none("click(start_box='(1,2,3)')");
    none("scroll(direction='left')");
    none("hotkey(key='ctrl c')");
    none("type(content='x')");
    none("wait()");
    none("finished(content='')");
    none("finished()");
  }
}
