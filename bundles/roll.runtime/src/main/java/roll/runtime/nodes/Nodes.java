package roll.runtime.nodes;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.osgi.annotation.versioning.ProviderType;

/** Makes this process a node of a run: a service of the bundle {@code roll.cluster.nodes}. */
@ProviderType
public interface Nodes {
  /**
   * Makes this process the first node of a run, which others can join from then on.
   *
   * @param say receives a line whenever a node joins or is lost
   * @return to be closed at the end of the run
   * @throws roll.api.option.UserException if the address is none of this machine, is taken, or must
   *     not be listened at in the clear
   * @throws InterruptedException if the thread was interrupted meanwhile; nothing is left open
   */
  FirstNode listen(ListenRequest order, Consumer<String> say) throws InterruptedException;

  /**
   * Makes the authority of a run that has not begun, or takes the one that is there, and a token
   * for nodes to join it with, which the first node must be given too ({@link
   * ListenRequest#token}).
   *
   * @param folder of the run; the authority is in {@code cluster/} below it, for its user alone
   * @return the token; who has it can join
   * @throws roll.api.option.UserException if the folder cannot be used
   */
  String prepare(Path folder);

  /**
   * Joins a run and serves it until its first node leaves; whenever this node is cut off, or the
   * first node is lost, it joins again with the certificate that it has got.
   *
   * @param say receives a line on what happens
   * @throws roll.api.option.UserException if this node is refused; the line says why
   * @throws InterruptedException if the thread was interrupted; this node has left in order
   */
  void join(JoinRequest order, Consumer<String> say) throws InterruptedException;

  /**
   * The nodes of the run that this process is a node of, the first node first; empty if it is of
   * none. Takes as long as the slowest of them needs to answer, a second at most.
   */
  List<NodeStatus> nodes();

  /**
   * The nodes of a run whose first node is another process, as that one sees them.
   *
   * @param at where it listens, as {@code host[:port]}
   * @param token as it printed
   * @throws roll.api.option.UserException if there is no run, or the token is not its own
   * @throws InterruptedException if the thread was interrupted meanwhile
   */
  List<NodeStatus> nodes(String at, String token) throws InterruptedException;

  /**
   * Returns the nodes of a run, for processes that can read its output folder.
   *
   * @throws roll.api.option.UserException if it is of no run that listens
   * @throws InterruptedException if the thread was interrupted meanwhile
   */
  List<NodeStatus> nodes(Path output) throws InterruptedException;
}
