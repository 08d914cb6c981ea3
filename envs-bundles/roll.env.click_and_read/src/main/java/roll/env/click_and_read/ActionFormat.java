package roll.env.click_and_read;

/** How actions are written where the agent is told of them, and where they are listed. */
enum ActionFormat {
  /** {@code click[400,300]}, {@code answer[1988]}. */
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

  /** As the agent type {@code gui}: see {@link UiTarsAction}. */
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

  /** A click on a pixel of the picture. */
  abstract String click(String x, String y);

  /** A move of the window over the page. */
  abstract String scroll(boolean down);

  /** The way to the page before. */
  abstract String back();

  /** An answer to the question. */
  abstract String answer(String text);
}
