package roll.runtime.deploy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.osgi.annotation.versioning.ProviderType;

/** Adds jars to the watched folder and removes them. */
@ProviderType
public interface Deployer {
  /**
   * Copies {@code jar} into the folder, in place of an older one of the same symbolic name, and
   * waits until it is active. If it is refused, it is removed and the jar that it replaced is
   * restored.
   *
   * @param notice receives a line on what a long wait is for
   * @return the active bundle and its capabilities, such as {@code maze 1.0.0: roll.env=maze}
   * @throws roll.api.option.UserException with the reason if it is refused
   * @throws InterruptedException if the wait was interrupted; the jar remains in the folder
   */
  default String deploy(Path jar, Consumer<String> notice) throws InterruptedException {
    return deploy(List.of(jar), notice).getFirst();
  }

  /**
   * Deploys all of {@code jars}, one after the other, or none: what is refused takes back those
   * before it, and so does the next start if this process is killed meanwhile.
   *
   * @param notice receives a line on what a long wait is for
   * @return what {@link #deploy(Path, Consumer)} returns, for each
   * @throws roll.api.option.UserException with the reason if one is refused
   * @throws InterruptedException if the wait was interrupted; the deployment continues
   */
  List<String> deploy(List<Path> jars, Consumer<String> notice) throws InterruptedException;

  /**
   * Removes a jar from the folder and waits until its bundle is gone.
   *
   * @param name symbolic name of the bundle, or the name of its file
   * @param notice receives a line on what a long wait is for
   * @return name and version of the removed bundle
   * @throws roll.api.option.UserException if nothing of this name was deployed
   * @throws InterruptedException if the wait was interrupted; the file is already removed
   */
  String undeploy(String name, Consumer<String> notice) throws InterruptedException;

  /**
   * Waits until the jars that were in the folder at startup have been processed.
   *
   * @throws InterruptedException if the wait was interrupted
   */
  void settle() throws InterruptedException;

  /**
   * Makes a bundle of {@code jar} where it lies, checked and treated like one of the folder, until
   * it is dismissed or roll ends. The file must stay as it is.
   *
   * @param notice receives a line on what a long wait is for
   * @return as {@link #deploy} does
   * @throws roll.api.option.UserException with the reason if it is refused
   * @throws InterruptedException if the wait was interrupted; the jar may be active
   */
  String host(Path jar, Consumer<String> notice) throws InterruptedException;

  /**
   * Removes what was made of {@code jar} by {@link #host} and waits until its bundle is gone; does
   * nothing if there is none.
   *
   * @throws InterruptedException if the wait was interrupted
   */
  void dismiss(Path jar, Consumer<String> notice) throws InterruptedException;

  /**
   * The jars of active bundles that are none of the distribution, by the numbers of the bundles.
   */
  Map<Long, Path> deployed();
}
