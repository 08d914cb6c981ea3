package roll.env.webshop;

import java.util.List;
import java.util.stream.Stream;
import org.osgi.service.component.annotations.Component;
import roll.api.env.Environment;
import roll.api.env.RollEnv;
import roll.api.env.Scenario;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.env.webshop.catalogue.ShopFiles;

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
  public List<Option<?>> options() {
    return Stream.concat(ShopFiles.OPTIONS.stream(), WebshopScenario.OPTIONS.stream()).toList();
  }

  @Override
  public boolean safeToReplay(Options options) {
    return ShopFiles.none(options) && WebshopScenario.isSmall(options);
  }

  @Override
  public Scenario configure(Options options) {
    return new WebshopScenario(options, shops);
  }
}
