package roll.agent.types;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.image.ImageSize;
import roll.api.image.PictureScale;

/** Places on a screen of 1600 by 900 that the model sees as 800 by 600. */
class GuiPlacesTest {
  private static final PictureScale SCALE =
      new PictureScale(new ImageSize(1600, 900), new ImageSize(800, 600));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "click(start_box='(400,300)') | click(start_box='(800,450)')",
        "click(point='<point>400 300</point>') | click(start_box='(800,450)')",
        "left_double(start_box='(10,20,30,40)') | left_double(start_box='(20,30,60,60)')",
        "right_single(start_box='(0.5,0.5)') | right_single(start_box='(1,0)')",
        "drag(start_box='(1,2)', end_box='(3,4)') | drag(start_box='(2,3)', end_box='(6,6)')",
        "scroll(start_box='(1,2)', direction='down') | scroll(start_box='(2,3)', direction='down')",
        "click(start_box='(-4,9000)') | click(start_box='(-1,900)')",
        "type(content='400,300') | type(content='400,300')",
        "finished(content='(1,2)') | finished(content='(1,2)')",
      })
  void areOfTheScreenWhereTheWorldReadsThem(String said, String read) {
    String thought = "Thought: the box at (400,300).\nAction: ";
    GuiAgent agent = new GuiAgent();
    assertEquals(thought + read, agent.answer(thought + said + "<|im_end|>", SCALE));
    assertEquals(thought + said, agent.answer(thought + said, null));
    PictureScale one = new PictureScale(SCALE.seen(), SCALE.seen());
    assertEquals(thought + said, agent.answer(thought + said, one));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Action: jump(start_box='(1,2)')", "click(start_box='(1,2)')"})
  void whatIsNoActionStaysAsItIs(String said) {
    assertEquals(said, new GuiAgent().answer(said, SCALE));
  }
}
