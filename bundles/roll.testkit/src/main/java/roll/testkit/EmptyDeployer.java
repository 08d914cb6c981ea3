package roll.testkit;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import roll.api.option.UserException;
import roll.runtime.deploy.Deployer;

/** A deployer of a framework without deployed jars, which refuses to add or remove one. */
public class EmptyDeployer implements Deployer {
  /** Creates the deployer. */
  public EmptyDeployer() {}

  @Override
  public List<String> deploy(List<Path> jars, Consumer<String> notice) throws InterruptedException {
    throw refusal();
  }

  @Override
  public String undeploy(String name, Consumer<String> notice) {
    throw refusal();
  }

  @Override
  public void settle() {}

  @Override
  public String host(Path jar, Consumer<String> notice) {
    throw refusal();
  }

  @Override
  public void dismiss(Path jar, Consumer<String> notice) {}

  @Override
  public Map<Long, Path> deployed() {
    return Map.of();
  }

  private static UserException refusal() {
    return new UserException("this framework has no folder for jars");
  }
}
