package roll.ui.control;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import roll.testkit.EmptyDeployer;

/** Deploys nothing; records its calls in {@code orders}. */
public class RecordingDeployer extends EmptyDeployer {
  private final List<String> orders;

  /** One that adds to {@code orders}. */
  public RecordingDeployer(List<String> orders) {
    this.orders = orders;
  }

  @Override
  public String deploy(Path jar, Consumer<String> notice) {
    orders.add("deploy " + jar.getFileName());
    return "maze 1.0.0: roll.env=maze";
  }

  @Override
  public String undeploy(String name, Consumer<String> notice) {
    orders.add("undeploy " + name);
    return name + " 1.0.0";
  }
}
