package roll.env.click_and_read;

import static roll.api.option.OptionInfo.Type.BOOLEAN;
import static roll.api.option.OptionInfo.Type.INTEGER;
import static roll.api.option.OptionInfo.Type.LIST;
import static roll.api.option.OptionInfo.Type.NUMBER;
import static roll.api.option.OptionInfo.Type.TEXT;

import java.util.List;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import roll.api.env.Environment;
import roll.api.env.RollEnv;
import roll.api.env.Scenario;
import roll.api.option.OptionInfo;
import roll.api.option.Options;
import roll.env.click_and_read.site.SiteFolders;

/**
 * A web site and a question about it: the agent follows links, reads, and answers. Nothing is ever
 * requested from a network.
 */
@Component(name = "roll.env.click_and_read")
@RollEnv("click_and_read")
public final class ClickAndReadEnvironment implements Environment {
  private final SiteFolders folders = new SiteFolders();
  private final Browsers browsers = new Browsers();

  /** Ends the browsers, if pictures had been asked for. */
  @Deactivate
  public void close() {
    browsers.close();
  }

  @Override
  public String description() {
    return "Follow the links of a web site until a question about it can be answered; a right"
        + " answer gives 1 less a cost for each action.";
  }

  @Override
  public List<OptionInfo> options() {
    return List.of(
        new OptionInfo(
            "site_path", TEXT, null, "folder of HTML files; absent, sites are generated"),
        new OptionInfo(
            "questions_file",
            TEXT,
            null,
            "questions about them, JSON lines; absent, questions.jsonl in site_path"),
        new OptionInfo("num_sites", INTEGER, 256, "how many sites are generated"),
        new OptionInfo("num_pages", INTEGER, 12, "pages of a generated site"),
        new OptionInfo("depth", INTEGER, 2, "clicks from its first page to every answer, 1 to 4"),
        new OptionInfo(
            "num_distractors",
            INTEGER,
            2,
            "facts of other places, and links to them, on each page with answers"),
        new OptionInfo("page_chars", INTEGER, 8000, "characters after which a page is cut"),
        new OptionInfo("max_steps", INTEGER, 5, "actions after which an episode is cut"),
        new OptionInfo("action_cost", NUMBER, 0.1, "what each action takes of the reward"),
        new OptionInfo(
            "partial_credit",
            BOOLEAN,
            true,
            "whether an answer with some of the right words counts by its F1"),
        new OptionInfo("format_penalty", NUMBER, 0.0, "reward of a response without an action"),
        new OptionInfo(
            "action_pattern", TEXT, "<answer>(.*?)</answer>", "where the action is in a response"),
        new OptionInfo(
            "special_token_list",
            LIST,
            List.of("<|im_start|>", "<|im_end|>"),
            "what is removed from a response before the action is sought"),
        new OptionInfo(
            "env_instruction",
            TEXT,
            null,
            "the task, told before the first observation; absent, in words for the"
                + " observation_mode; empty tells nothing"),
        new OptionInfo(
            "observation_mode",
            TEXT,
            "text",
            "what the agent observes: text, or picture for pages as Chromium shows them"),
        new OptionInfo("browser", TEXT, null, "name or path of Chromium; absent, looked for"),
        new OptionInfo("browser_args", LIST, List.of(), "more arguments for it"),
        new OptionInfo("window", LIST, List.of(800, 600), "width and height of pictures"),
        new OptionInfo("marks", BOOLEAN, false, "whether pictures have numbers beside links"));
  }

  @Override
  public Scenario configure(Options options) {
    return new ClickAndReadScenario(options, folders, browsers);
  }
}
