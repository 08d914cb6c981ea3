package roll.torch.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.util.List;

/**
 * A token head with one more column, the last: the divergence from a teacher's distribution ({@code
 * head_jsd} in {@code head.py}). Logits of both are computed anew for the backward pass.
 */
final class DistilledHead implements Head {
  private final TokenHead head;
  private final TeacherRows teacher;

  DistilledHead(TokenHead head, TeacherRows teacher) {
    this.head = head;
    this.teacher = teacher;
  }

  @Override
  public Output forward(
      NDManager owner, NDList weights, NDArray rows, NDArray targets, boolean backward) {
    Output plain = head.forward(owner, weights, rows, targets, backward);
    NDList columns = new NDList(plain.columns());
    columns.add(head.jsd(owner, weights, rows, teacher, new NDList(), new NDList()));
    return new Output(rows, targets, columns, plain.kept());
  }

  @Override
  public NDArray backward(
      NDManager owner, NDList weights, List<NDList> gradients, Output output, NDList byColumns) {
    NDList by = new NDList(byColumns.getLast());
    // none of the other loss is, where the divergence is all of it
    if (TokenHead.moves(byColumns.get(0)) || TokenHead.moves(byColumns.get(1))) {
      by.add(head.backward(owner, weights, gradients, output, byColumns));
    }
    return head.jsd(owner, weights, output.rows(), teacher, by, gradients.getFirst());
  }
}
