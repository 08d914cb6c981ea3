package roll.env.click_and_read;

/** The format of actions in instructions and lists of actions. */
enum ActionFormat {
  /** Action format {@code click[400,300]}, {@code answer[1988]}. */
  BRACKETS {
    @Override
    String click(String x, String y) {
      return "click[" + x + "," + y + "]";
    }

    @Override
    String scroll(boolean down) {
      return down ? "scroll[down]" : "scroll[up]";
    }

    @Override
    String back() {
      return "back";
    }

    @Override
    String answer(String text) {
      return "answer[" + text + "]";
    }
  },

  /** The format of the agent type {@code gui}: see {@link UiTarsAction}. */
  UI_TARS {
    @Override
    String click(String x, String y) {
      return "click(start_box='(" + x + "," + y + ")')";
    }

    @Override
    String scroll(boolean down) {
      return down ? "scroll(direction='down')" : "scroll(direction='up')";
    }

    @Override
    String back() {
      return "hotkey(key='alt left')";
    }

    @Override
    String answer(String text) {
      return "finished(content='" + text.replace("\\", "\\\\").replace("'", "\\'") + "')";
    }
  };

  /** Returns a click on a pixel of the picture. */
  abstract String click(String x, String y);

  /** Returns a scroll action in this format. */
  abstract String scroll(boolean down);

  /** Returns the action that leads to the previous page. */
  abstract String back();

  /** Returns an answer to the question. */
  abstract String answer(String text);
}
