package roll.env.webshop;

import static roll.api.option.OptionInfo.Type.BOOLEAN;
import static roll.api.option.OptionInfo.Type.INTEGER;
import static roll.api.option.OptionInfo.Type.LIST;
import static roll.api.option.OptionInfo.Type.NUMBER;
import static roll.api.option.OptionInfo.Type.TEXT;

import java.util.List;
import org.osgi.service.component.annotations.Component;
import roll.api.env.Environment;
import roll.api.env.RollEnv;
import roll.api.env.Scenario;
import roll.api.option.OptionInfo;
import roll.api.option.Options;

/**
 * WebShop (Yao et al. 2022) as ROLL plays it: a shop of pages with a real search engine, in which
 * the agent buys what an instruction asks for.
 */
@Component(name = "roll.env.webshop")
@RollEnv("webshop")
public final class WebshopEnvironment implements Environment {
  private final Shops shops = new Shops();

  @Override
  public String description() {
    return "Search a web shop and buy what the instruction asks for; the reward, 0 to 1, is the"
        + " share of attributes, options and price that are right.";
  }

  @Override
  public List<OptionInfo> options() {
    return List.of(
        new OptionInfo(
            "file_path", TEXT, null, "WebShop's product file; absent, a generated catalogue"),
        new OptionInfo(
            "attr_path",
            TEXT,
            null,
            "attributes and generated instructions; absent, items_ins_v2… beside file_path"),
        new OptionInfo(
            "human_attr_path",
            TEXT,
            null,
            "instructions written by people; absent, items_human_ins.json beside file_path"),
        new OptionInfo(
            "num_products", INTEGER, null, "the first so many products; absent, all or 1000"),
        new OptionInfo("human_goals", BOOLEAN, false, "whether instructions are those of people"),
        new OptionInfo(
            "filter_goals", TEXT, null, "regular expression found in every instruction used"),
        new OptionInfo(
            "limit_goals", INTEGER, -1, "instructions used, those with rare attributes first"),
        new OptionInfo("show_attrs", BOOLEAN, false, "whether pages of products show attributes"),
        new OptionInfo("max_steps", INTEGER, 10, "turns after which an episode is cut"),
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
            "You shop on the web. Search for what the instruction asks for, open a product, choose"
                + " its options and buy it.\n"
                + "Your actions are search[keywords] on the search page and click[button] for"
                + " everything else that the page offers.",
            "the task, told before the first observation; empty tells nothing"),
        new OptionInfo("observation_mode", TEXT, "text", "what the agent observes: text"),
        new OptionInfo(
            "server", TEXT, null, "no value is allowed: sessions share one shop anyway"));
  }

  @Override
  public Scenario configure(Options options) {
    return new WebshopScenario(options, shops);
  }
}
