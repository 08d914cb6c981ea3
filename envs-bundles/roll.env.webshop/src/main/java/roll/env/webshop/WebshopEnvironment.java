package roll.env.webshop;

import java.util.List;
import java.util.stream.Stream;
import org.osgi.service.component.annotations.Component;
import roll.api.env.Environment;
import roll.api.env.RollEnv;
import roll.api.env.Scenario;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.env.webshop.catalog.ShopFiles;

/**
 * WebShop (Yao et al. 2022) as in ROLL: a web shop with a search engine, in which the agent buys
 * the product that an instruction describes.
 */
@Component(name = "roll.env.webshop")
@RollEnv("webshop")
public final class WebshopEnvironment implements Environment {
  private final Shops shops = new Shops();

  @Override
  public String description() {
    return "Search a web shop and buy the product of an instruction; the reward, 0 to 1, is the"
        + " share of matching attributes, options and price.";
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
