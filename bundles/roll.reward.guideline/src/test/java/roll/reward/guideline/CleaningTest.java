package roll.reward.guideline;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CleaningTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Count the cases. | Count the cases.",
        "<think>it is 5</think> Count. | Count.",
        "Count.<think>a</think> Then<think>b</think> add. | Count. Then add.",
        "Count. <think>it is 5 | Count.",
        "<think>\\n</think>\\n\\nCount. | Count.",
        "<think>5 | ''",
        "Count \\boxed{5} of them. | Count  of them.",
        "Count \\boxed{\\frac{1}{2}}. | Count .",
        "Count \\boxed {5}. | Count .",
        "Count \\boxed{a\\}b}. | Count .",
        "\\boxed{1}\\boxed{2}Count. | Count.",
        "Count. \\boxed{\\frac{1}{2} | Count.",
        "\\boxed{<think>}</think>} | ''",
        "Use \\boxed and \\frac{1}{2}. | Use \\boxed and \\frac{1}{2}.",
        "no </think> tag | no </think> tag",
        "'' | ''",
      })
  void leavesTheGuidelineAlone(String response, String clean) {
    assertEquals(clean, GuidelineCleaner.clean(response.replace("\\n", "\n")).replace("\n", "\\n"));
  }

  @Test
  void isFastOnAnything() {
    assertEquals("", GuidelineCleaner.clean("\\boxed{".repeat(100_000)));
    assertEquals("", GuidelineCleaner.clean("<think>".repeat(100_000)));
  }
}
