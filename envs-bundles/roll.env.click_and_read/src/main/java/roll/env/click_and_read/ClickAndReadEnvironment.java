package roll.env.click_and_read;

import java.util.List;
import java.util.stream.Stream;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import roll.api.env.Environment;
import roll.api.env.RollEnv;
import roll.api.env.Scenario;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.env.click_and_read.site.SiteFolders;
import roll.env.click_and_read.site.SiteQuestions;

/**
 * A web site and a question about it: the agent follows links, reads and answers. It never accesses
 * a network.
 */
@Component(name = "roll.env.click_and_read")
@RollEnv("click_and_read")
public final class ClickAndReadEnvironment implements Environment {
  private final SiteFolders folders = new SiteFolders();
  private final Browsers browsers = new Browsers();

  /** Closes the browsers of the click and read environment. */
  @Deactivate
  public void close() {
    browsers.close();
  }

  @Override
  public String description() {
    return "Follow the links of a web site until a question about it can be answered; the reward"
        + " of a correct answer is 1 minus a cost per action.";
  }

  @Override
  public List<Option<?>> options() {
    return Stream.of(SiteQuestions.OPTIONS, ClickAndReadScenario.OPTIONS, Browsers.OPTIONS)
        .<Option<?>>flatMap(List::stream)
        .toList();
  }

  @Override
  public boolean safeToReplay(Options options) {
    return !options.has(SiteQuestions.SITE_PATH)
        && !options.has(SiteQuestions.QUESTIONS_FILE)
        && (ClickAndReadScenario.readsText(options) || !Browsers.asked(options));
  }

  @Override
  public Scenario configure(Options options) {
    return new ClickAndReadScenario(options, folders, browsers);
  }
}
