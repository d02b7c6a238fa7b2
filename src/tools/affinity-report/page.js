/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorts tables by a column, folds the index on narrow screens and opens all folds for print. Without it the page lacks
 * nothing else. */
'use strict';
function key(row, column) {
  const cell = row.cells[column], text = cell.dataset.value || cell.textContent;
  const number = parseFloat(text);
  return Number.isNaN(number) ? text : number;
}
function before(a, b) {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === typeof b) return a.localeCompare(b);
  return typeof a === 'number' ? -1 : 1; /* figures first */
}
function sort(head, table) {
  const up = head.getAttribute('aria-sort') !== 'ascending', column = head.cellIndex, body = table.tBodies[0];
  for (const other of head.parentNode.cells) other.removeAttribute('aria-sort');
  head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
  const rows = Array.from(body.rows, row => [key(row, column), row]);
  rows.sort((a, b) => before(a[0], b[0]) * (up ? 1 : -1));
  for (const row of rows) body.append(row[1]);
}
for (const table of document.querySelectorAll('table.sortable:not(.heat)')) {
  if (table.tBodies[0].rows.length < 3) continue;
  for (const head of table.tHead.rows[0].cells) {
    const button = document.createElement('button');
    button.type = 'button';
    button.title = 'Sort by this column';
    button.append(...head.childNodes);
    button.addEventListener('click', () => sort(head, table));
    head.append(button);
  }
}
const index = document.querySelector('nav details');
if (index && window.matchMedia('(max-width: 60rem)').matches) index.open = false;
window.addEventListener('beforeprint', () => {
  for (const fold of document.querySelectorAll('details')) fold.open = true;
});
